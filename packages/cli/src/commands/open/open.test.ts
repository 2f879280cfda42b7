import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorResponse, fakeApi } from '../../test/fake-api.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { PATIENT } from '../../../test/support/spawn-cli.ts';

const dashboard = () => fakeApi(() => ({ text: '<html>', headers: { 'content-type': 'text/html' } }));

describe('open', () => {
  it('prints the address of a page if there is no terminal', async () => {
    const { env } = await dashboard();
    expect(await runCli(['open', 'keys'], { env })).toEqual({
      code: 0,
      out: `${env.HUBLINE_BASE_URL.replace('/v1', '')}/settings/api-keys\n`,
      err: '',
    });
    expect(await runCli(['open', 'toast'], { env })).toMatchObject({ code: 2, out: '' });
  });

  it('says that a server has no dashboard', async () => {
    const none = await fakeApi(() => errorResponse(404, 'not_found'));
    expect(await runCli(['open'], { env: none.env })).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('If it runs from a clone, npx -y pnpm@12 start there builds one.'),
    });
  });
});

describe.skipIf(process.platform !== 'linux')('open on a terminal', () => {
  /** A machine whose `xdg-open` is this script. */
  async function machine(script: string | undefined) {
    const PATH = await temporaryDirectory();
    if (script !== undefined) {
      await writeFile(join(PATH, 'xdg-open'), `#!/bin/sh\n${script}\n`);
      await chmod(join(PATH, 'xdg-open'), 0o755);
    }
    const { env } = await dashboard();
    const run = () => runCli(['open', '--color=never'], { env: { ...env, PATH }, tty: true });
    return { PATH, run, url: `${env.HUBLINE_BASE_URL.replace('/v1', '')}/` };
  }

  /** Lets the command wait for the script, however long a busy machine takes to run it. */
  function haveTime(): void {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  }

  it('hands the address to the browser', async () => {
    const { PATH, run, url } = await machine('echo "$1" > "$PATH/opened"');
    haveTime();
    expect(await run()).toEqual({ code: 0, out: `✓ Opened ${url}\n`, err: '' });
    expect(await readFile(join(PATH, 'opened'), 'utf8')).toBe(`${url}\n`);
  });

  it('does not wait for a browser that goes on', async () => {
    const { PATH, run } = await machine('echo $$ > "$PATH/pid"; while :; do /bin/sleep 1; done');
    expect((await run()).out).toMatch(/^✓ Opened/);
    const pid = await vi.waitUntil(
      async () => Number(await readFile(join(PATH, 'pid'), 'utf8').catch(() => '')),
      PATIENT,
    );
    process.kill(pid, 'SIGKILL');
  });

  it.each([
    ['exit 3', 'xdg-open ended with exit code 3'],
    [undefined, 'xdg-open is not installed'],
  ])('says why it failed, and prints the address all the same: %s', async (script, reason) => {
    const { run, url } = await machine(script);
    haveTime();
    expect(await run()).toEqual({
      code: 9,
      out: `${url}\n`,
      err: `Error: The browser could not be opened: ${reason}.\nOpen the address yourself.\n`,
    });
  });
});
