import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';

const { cli, json } = await realServer();

it('prints for each shell a script that asks hubline itself', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    expect(await cli(['completion', shell])).toMatchObject({
      code: 0,
      out: expect.stringContaining('hubline __complete'),
      err: '',
    });
  }
});

it('completes IDs that the server has', async () => {
  const { id } = await json('key', 'create', '--name=ci');
  const { out } = await cli(['__complete', 'key', 'get', 'key_']);
  expect(out).toContain(`${id}\tci`);
});
