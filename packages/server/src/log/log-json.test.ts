import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

it('a log that is closed while it is being written writes its last line, and lets the process end', async () => {
  const program = `
    import { jsonLines } from ${JSON.stringify(new URL('log-json.ts', import.meta.url).href)};
    const { destination, close } = jsonLines();
    for (const line of ['one', 'two', 'three']) {
      destination.write(line + '\\n');
      await new Promise((resolve) => process.nextTick(resolve));
    }
    await close();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const closed = once(child, 'close');
  expect(await text(child.stderr)).toBe('one\ntwo\nthree\n');
  expect(await closed).toEqual([0, null]);
});
