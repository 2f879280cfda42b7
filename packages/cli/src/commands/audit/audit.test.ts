import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { temporaryDirectory } from '../../test/run-cli.ts';

const { server, cli, json } = await realServer();

beforeAll(async () => {
  await json('member', 'invite', 'li@acme.test');
  await json('key', 'create', '--name=ci');
});

it('tells who changed what, and narrows that by action, actor and target', async () => {
  const entries = await json<{ action: string; actor: { id: string } }[]>('audit', 'list');
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'api_key.created', actor: { id: server.userId } },
    { action: 'member.invited', actor: { id: server.userId } },
  ]);
  const named = ['audit', 'list', '--jq=.[0].targets[0].name'];
  expect((await cli([...named, '--action=member.invited'])).out).toBe('li@acme.test\n');
  expect((await cli(['audit', 'list', `--actor=${server.userId}`, '--until=2020-01-01'])).err).toBe(
    'No entries.\n',
  );
  expect(await cli(['audit', 'list', '--actor=usr_06f8xw2b3c4d5e6f7g8h9j0kmn'])).toMatchObject({
    code: 4,
    out: '',
    err: expect.stringMatching(/--actor: .*\n[^]*List them: hubline member list\n$/),
  });
});

it('exports what the server keeps, as CSV and as JSON', async () => {
  const directory = await temporaryDirectory();
  const { length } = await json<unknown[]>('audit', 'list', '--all');
  for (const name of ['audit.csv', 'audit.ndjson']) {
    const file = join(directory, name);
    expect(await cli(['audit', 'export', `--out=${file}`])).toEqual({
      code: 0,
      out: '',
      err: `✓ Wrote ${length} entries into ${file}\n`,
    });
  }
  const [header = '', first = ''] = (await readFile(join(directory, 'audit.csv'), 'utf8')).split('\r\n');
  expect(header.split(',')).toContain('"action"');
  expect(first).toContain('api_key.created');
  const [line = ''] = (await readFile(join(directory, 'audit.ndjson'), 'utf8')).split('\n');
  expect(JSON.parse(line)).toMatchObject({ action: 'api_key.created' });
});
