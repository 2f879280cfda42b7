import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Runs a program, and returns what it logs. */
const run = (program: string): string =>
  spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }).stderr;

/** Clears the screen, begins a command by a single control character, writes from right to left, and goes back in its line. */
const HOSTILE = 'Refused: \u001b[2Ja\u009b1mb\u202ec\rd\u0007';
const SHOWN = String.raw`Refused: \u001b[2Ja\u009b1mb\u202ec\rd\u0007`;

it.each(['pretty', 'json'])('foreign text does not act on the terminal of a %s log', (logFormat) => {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    const log = createLogger({ logFormat: '${logFormat}', logLevel: 'info' });
    const text = ${JSON.stringify(HOSTILE)};
    log.warn({ err: new Error(text), reason: text, path: 'C:\\\\u001b' }, text);
    await log.close();
  `;
  const stderr = run(program);
  expect(stderr).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  if (logFormat === 'pretty') expect(stderr).toContain(`Error: ${SHOWN}\n`);
  else
    expect(JSON.parse(stderr)).toMatchObject({
      err: { message: SHOWN, stack: expect.stringContaining(`Error: ${SHOWN}\n    at `) },
      reason: SHOWN,
      path: String.raw`C:\u001b`,
      msg: SHOWN,
    });
});

it('a failure of the database that repeats every second is one line', () => {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    import { StorageUnavailable } from ${JSON.stringify(new URL('../domain/faults/storage-unavailable.ts', import.meta.url).href)};
    const log = createLogger({ logFormat: 'json', logLevel: 'info' });
    const err = new StorageUnavailable({ cause: Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }) });
    for (let second = 0; second < 3; second++) log.warn({ err }, 'jobs could not be claimed; trying again');
    await log.close();
  `;
  const stderr = run(program);
  expect(JSON.parse(stderr)).toMatchObject({
    reason: expect.stringContaining('Make room on the disk'),
    msg: 'jobs could not be claimed; trying again',
  });
});
