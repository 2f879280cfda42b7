import { expect, it } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { listOf } from './list-of.ts';
import { realServer } from '../test/real-server.ts';
import { runCli } from '../test/run-cli.ts';
import { allCommands } from '../test/tree.ts';

const { cli } = await realServer();
const paths = (await allCommands()).map(({ path }) => path);

const stdin = 'name: a\ntrigger: { event: manual }\nactions: [{ type: wait, seconds: 60 }]';
const created = await cli(['automation', 'create', '--file=-', '-q'], { stdin });
const automation = created.out.trim();
const event = '--event=evt_06f8xw2b3c4d5e6f7g8h9j0kmn';

it.each([
  [['automation', 'get-run', automation, 'run_1'], `List them: hubline automation runs ${automation}`],
  [['automation', 'retry-run', automation, 'run_1'], `List them: hubline automation runs ${automation}`],
  [['automation', 'cancel-run', automation, 'run_1'], `List them: hubline automation runs ${automation}`],
  [['automation', 'run', 'aut_1'], 'List them: hubline automation list'],
  [['automation', 'run', automation, event], 'List them: hubline event list'],
  [['automation', 'runs', automation, event], 'List them: hubline event list'],
  [['delivery', 'list', event], 'List them: hubline event list'],
  [['delivery', 'list', '--webhook=whk_1'], 'List them: hubline webhook list'],
  [['event', 'publish', '--type=x', '--integration=int_1'], 'List them: hubline integration list'],
  [['rule', 'log', '--rule=nrl_1'], 'List them: hubline rule list'],
  [['recovery', 'get', 'rec_1'], 'See: hubline recovery get --help'],
  [['wait', 'recovery', 'rec_1'], 'See: hubline wait --help'],
])('%j: %s', async (line, hint) => {
  const { code, err } = await cli(line);
  expect({ code, hint: err.trimEnd().split('\n').at(-1) }).toEqual({ code: 4, hint });
});

it('a thing with the name of an inherited property has no list', () => {
  expect(listOf('No such constructor.', {})).toBeNull();
});

it.each([
  'API key',
  'OAuth app',
  'OAuth provider',
  'automation',
  'delivery',
  'event',
  'integration',
  'member',
  'notification',
  'notification rule',
  'notification template',
  'provider',
  'webhook',
  'workspace',
])('the hint for %s is a command that lists it', async (thing) => {
  const message = `No such ${thing}. Check the ID.`;
  const { env } = await fakeApi(() => ({ status: 404, body: { error: { code: 'not_found', message } } }));
  const { err } = await runCli(['event', 'publish', '--type=x'], { env });
  const [, list = ''] = /List them: hubline (.+)\n$/.exec(err) ?? [];
  expect(paths).toContain(list);
});
