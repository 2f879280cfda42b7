import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { cpuMs, memoryMb } from './usage.ts';

it.skipIf(process.platform !== 'linux')('counts what a process and its children have used', async () => {
  const burn = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
  const script = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(burn)}]);
    console.log('burned'); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    // The child that used the CPU time has ended: its time counts for its parent.
    expect(cpuMs([child.pid ?? 0])).toBeGreaterThanOrEqual(300);
    expect(memoryMb([child.pid ?? 0])).toBeGreaterThan(5);
  } finally {
    child.kill();
  }
});
