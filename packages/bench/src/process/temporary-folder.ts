import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is removed when it is disposed of. Other users may enter it: PostgreSQL does not run as root. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'hubline-bench-'));
  chmodSync(path, 0o755);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
