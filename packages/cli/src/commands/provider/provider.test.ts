import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';

const { cli, json } = await realServer();

it('names the credentials that connecting a tool takes', async () => {
  const providers = await json<{ provider: string }[]>('provider', 'list');
  expect(providers.map(({ provider }) => provider)).toEqual(expect.arrayContaining(['github', 'custom']));
  const github = await json<{ required_credentials: string[] }>('provider', 'get', 'github');
  expect(github.required_credentials).toEqual(['token']);
  // Connecting asks for the names that it lists.
  const { code, err } = await cli(['integration', 'connect', 'github']);
  expect({ code, err }).toEqual({ code: 6, err: expect.stringContaining('--credential token=') });
});

it('says where to look for one that there is not', async () => {
  expect(await cli(['provider', 'get', 'fax'])).toEqual({
    code: 4,
    out: '',
    err: 'Error: There is no provider "fax".\nSee: hubline provider list, and define others: hubline provider define --help\n',
  });
});
