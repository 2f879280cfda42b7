import { endpoints } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { realServer } from '../test/real-server.ts';
import { runCli } from '../test/run-cli.ts';
import { allCommands } from '../test/tree.ts';
import { typedName } from './name-typed.ts';

const { cli } = await realServer();
const commands = await allCommands();

/** Fields that a command fills by itself, or reads from a document that the user wrote. */
const NOT_TYPED: Readonly<Record<string, readonly string[]>> = {
  'automation enable': ['*'],
  'automation disable': ['*'],
  'automation test': ['changes'],
  'audit list': ['format'],
  'audit export': ['limit'],
  'audit tail': ['format', 'until'],
  'delivery tail': ['until'],
  'event export': ['*'],
  'event publish': ['events'],
  'integration connect': ['integration_id', 'config', 'credentials', 'settings'],
  'integration create': ['config', 'credentials'],
  'integration reconnect': ['credentials'],
  'integration test': [],
  listen: ['omit'],
  'member import': ['*'],
  'notification read': ['read'],
  'provider define': ['*'],
  'provider preview': ['query'],
  'provider redefine': ['*'],
  'rule test': ['changes'],
  seed: ['*'],
  'template preview': ['subject', 'body'],
  trigger: ['integration_id', 'occurred_at'],
  'webhook create': ['filters'],
  'webhook disable': ['*'],
  'webhook match': ['filters'],
  'webhook update': ['filters', 'status'],
  'workspace transfer': ['*'],
};

/** Fields of every list, and those that the workspace in use fills. */
const EVERYWHERE = ['cursor', 'limit', 'workspace_id'];

const fieldsOf = (schema: unknown): string[] => Object.keys((schema as { shape?: object })?.shape ?? {});

describe('an error names what was typed', () => {
  const typing = commands.filter(({ flags = {}, endpoints: names }) => names && !('file' in flags));

  it.each(typing.map((command) => [command.path, command] as const))(
    'for every field of the requests of %s',
    (path, command) => {
      const skipped = [...EVERYWHERE, ...(NOT_TYPED[path] ?? [])];
      const fields = (command.endpoints ?? []).flatMap((name) => {
        const row = endpoints[name];
        return [
          ...fieldsOf('body' in row ? row.body : undefined),
          ...fieldsOf('query' in row ? row.query : undefined),
        ];
      });
      const nameless = fields.filter(
        (field) =>
          !skipped.includes('*') &&
          !skipped.includes(field) &&
          !typedName({ command, args: {}, flags: {} }, field),
      );
      expect(
        nameless,
        `${path} needs a flag for each of these fields, or their names in \`typed\` or NOT_TYPED`,
      ).toEqual([]);
    },
  );

  it.each([
    [
      'key rotate key_1 --overlap=30d --yes',
      'overlap_seconds',
      'must be smaller',
      '--overlap must be smaller.',
    ],
    ['key create --name=x --expires=1h', 'expires_at', 'must be later', '--expires must be later.'],
    ['key create --name=x', 'scopes[0]', 'is odd', '--scope is odd.'],
    ['automation get-run aut_1 run_1', 'runId', 'is odd', 'run_1 is odd.'],
    ['provider undefine acme-ci --yes', 'providerId', 'is used by int_1', 'acme-ci is used by int_1.'],
    ['delivery list --since=1h', 'until', 'must not be before since', '--until must not be before --since.'],
    ['delivery list --type=x', 'event_name', 'is odd', '--type is odd.'],
    ['webhook update whk_1 --type=x', 'filters.event_types[0]', 'is odd', '--type is odd.'],
    [
      'webhook update whk_1 --type=x',
      'filters.conditions.op',
      'is required',
      'op in --conditions is required.',
    ],
    ['member list', 'workspace_id', 'is odd', '--workspace is odd.'],
    ['webhook enable whk_1', 'Idempotency-Key', 'is odd', '--idempotency-key is odd.'],
    ['api POST /webhooks', 'Idempotency-Key', 'is odd', '--idempotency-key is odd.'],
    ['automation update aut_1 --file=-', 'name', 'is odd', 'name is odd.'],
    ['automation update aut_1 --file=- --name=x', 'name', 'is odd', '--name is odd.'],
    ['automation update aut_1 --file=-', 'automation_id', 'is odd', 'automation_id is odd.'],
    ['provider redefine acme-ci --definition={}', 'provider_id', 'is odd', 'provider_id is odd.'],
    ['provider define --definition={}', 'workspace_id', 'is odd', 'workspace_id is odd.'],
  ])('%s: %s', async (line, field, issue, said) => {
    const message = `${field} ${issue}.`;
    const { env } = await fakeApi(() => ({
      status: 400,
      body: { error: { code: 'invalid_request', message, details: [{ field, issue }], request_id: 'req_1' } },
    }));
    const { err } = await runCli(line.split(' '), { env, stdin: 'enabled: true' });
    expect(err).toContain(`Error: ${said}\n  request`);
    const json = await runCli([...line.split(' '), '--json'], { env, stdin: 'enabled: true' });
    expect(JSON.parse(json.err)).toMatchObject({ error: { message, details: [{ field }] } });
  });

  it('of one ID of several, as of a single one', async () => {
    const details = [
      { field: 'webhookId', issue: 'is odd' },
      { field: 'workspace_id', issue: 'is odd, too' },
    ];
    const error = { code: 'invalid_request', message: 'webhookId is odd.', details, request_id: 'req_1' };
    const { env } = await fakeApi(() => ({ status: 400, body: { error } }));
    const line = ['webhook', 'delete', 'whk_1', 'whk_2', '--yes'];
    const refusal = (id: string): string => `✗ ${id} is odd.\n  --workspace: is odd, too\n`;
    const { code, err } = await runCli(line, { env });
    expect({ code, err: err.split('2 of 2')[0] }).toEqual({
      code: 10,
      err: `${refusal('whk_1')}${refusal('whk_2')}Error: `,
    });
    const json = await runCli([...line, '--json'], { env });
    expect(JSON.parse(json.out)).toEqual(
      ['whk_1', 'whk_2'].map((id) => ({
        id,
        error: { code: 'invalid_request', message: error.message, details },
      })),
    );
  });

  it('once for each mistake', async () => {
    const refused = async (...line: string[]) => (await cli(line)).err;
    expect(await refused('delivery', 'list', '--since=1h', '--until=2h')).toMatch(
      /^Error: --until must not be before --since\.\n {2}request/,
    );
    expect(await refused('event', 'publish', '--type=')).toMatch(
      /^Error: --type must have at least 1 character\.\n {2}request/,
    );
  });

  it('an empty argument', async () => {
    expect(await runCli(['automation', 'get-run', 'aut_1', ''])).toMatchObject({
      code: 2,
      err: 'Error: <run> must not be empty.\nSee: hubline automation get-run --help\n',
    });
    expect(await runCli(['webhook', 'get', 'whk_1', ''])).toMatchObject({ code: 2 });
  });
});
