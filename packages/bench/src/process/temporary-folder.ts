import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder that is removed when it is disposed of, or when this process exits. Other users may enter it: PostgreSQL does not run as
 * root.
 */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'hubline-bench-'));
  chmodSync(path, 0o755);
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  return {
    path,
    [Symbol.dispose]() {
      process.off('exit', remove);
      remove();
    },
  };
}
