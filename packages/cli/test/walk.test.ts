import { endpoints } from '@hubline/contract';
import { startTestServer } from '@hubline/server/testing';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runCli, temporaryDirectory } from '../src/test/run-cli.ts';
import { allCommands } from '../src/test/tree.ts';
import { PATIENT } from './support/spawn-cli.ts';

/** Endpoints that commands call to look something up: names, slugs, what is about to be deleted. */
const LOOKUPS = [
  'me.get',
  'workspaces.get',
  'members.list',
  'integrations.get',
  'integrations.listProviders',
  'providers.list',
];

/** Endpoints that are called only after responses that this walk does not get. */
const SELDOM: Readonly<Record<string, readonly string[]>> = {
  // For a payload that a list leaves out, of 8 MiB and more.
  'event export': ['events.get'],
  // With a browser and a tool that answers it: commands/integration/oauth.test.ts.
  'integration connect': ['integrations.update', 'oauth.start', 'oauth.get'],
};

const routes = Object.entries(endpoints).map(([name, { method, path }]) => ({
  name,
  method,
  pattern: new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?|$)`),
  variables: path.split('{').length,
}));

/** The endpoint of a line of `--verbose`: the most exact route, since `/integrations/connect` also looks like an ID. */
function endpointOf(line: string): string {
  const [, method, path = ''] = /^> (\w+) (\S+)/.exec(line) ?? [];
  const [best] = routes
    .filter((route) => route.method === method && route.pattern.test(path))
    .toSorted((a, b) => a.variables - b.variables);
  return best?.name ?? line;
}

it(
  'walks through the whole API, and every command calls what it says it calls',
  { timeout: 120_000 },
  async () => {
    await using server = await startTestServer({
      env: { HUBLINE_CREDENTIAL_CHECK: 'skip', HUBLINE_NOTION_API_URL: 'http://127.0.0.1:9' },
    });
    const directory = await temporaryDirectory();
    const env = {
      HUBLINE_BASE_URL: server.baseUrl,
      HUBLINE_API_KEY: server.apiKey,
      HUBLINE_CONFIG_DIR: join(directory, 'config'),
    };
    const called = new Map<string, Set<string>>();
    const tree = await allCommands();

    /** Runs a command line that must succeed, and returns its JSON. */
    async function cli<Value = Record<string, string>>(line: readonly string[], stdin = ''): Promise<Value> {
      const [noun = '', verb = ''] = line;
      const command = tree.find(({ path }) => path === noun || path === `${noun} ${verb}`);
      const { code, out, err } = await runCli([...line, '--json', '--verbose', '--yes'], { env, stdin });
      expect(code, `${line.join(' ')}\n${err}`).toBe(0);
      const calls = err.split('\n').filter((text) => text.startsWith('> '));
      const seen = called.get(command?.path ?? '') ?? new Set();
      called.set(command?.path ?? '', seen);
      for (const call of calls) seen.add(endpointOf(call));
      return JSON.parse(out) as Value;
    }

    // A person and a workspace.
    await cli(['auth', 'login', '--with-key', `--base-url=${server.baseUrl}`], `${server.apiKey}\n`);
    await cli(['auth', 'status']);
    await cli(['whoami']);
    const other = await cli(['workspace', 'create', '--name=Other', '--slug=other']);
    await cli(['workspace', 'list']);
    await cli(['workspace', 'get', 'other']);
    await cli(['workspace', 'update', 'other', '--name=Another']);
    await cli(['workspace', 'use', 'acme']);
    expect(await cli(['workspace', 'delete', 'other', '--confirm=other'])).toEqual({
      id: other['id'],
      deleted: true,
    });

    const plan = { workspaces: [{ slug: 'demo', samples: 12, members: [{ email: 'x@demo.test' }] }] };
    for (const line of [
      ['seed', '-'],
      ['seed', '-', '--reset'],
    ]) {
      expect(await cli<unknown>(line, JSON.stringify(plan))).toMatchObject([
        { slug: 'demo', members: 1, events: 12 },
      ]);
    }
    await cli(['workspace', 'delete', 'demo', '--confirm=demo']);
    const worries = async () => {
      const diagnoses = await cli<{ check: string; status: string }[]>(['doctor']);
      return diagnoses.flatMap(({ check, status }) =>
        status === 'failed' || status === 'warning' ? check : [],
      );
    };
    expect(await worries()).toEqual([]);

    // Members.
    const [li, sam] = await Promise.all([
      cli(['member', 'invite', 'li@acme.test', '--role=admin']),
      cli(['member', 'invite', 'sam@acme.test', '--variant']),
    ]);
    expect(sam).toMatchObject({ status: 'pending' });
    const { invite_url: link = '' } = await cli(['member', 'resend-invite', 'li@acme.test']);
    const token = new URL(link).searchParams.get('token') ?? '';
    const joined = await cli(['invitation', 'accept', '--token-file=-'], `${token}\n`);
    expect(joined).toMatchObject({ user_id: li['user_id'], role: 'admin' });
    await cli(['member', 'update', 'li@acme.test', '--role=admin']);
    await cli(['member', 'remove', 'sam@acme.test']);
    expect(await cli<unknown[]>(['member', 'list', '--all'])).toHaveLength(2);
    await cli(['member', 'invite', 'old@acme.test', 'kim@acme.test']);
    const people = 'email,role\nli@acme.test,admin\nkim@acme.test,viewer\nnew@acme.test,\n';
    expect(await cli<unknown[]>(['member', 'import', '-', '--prune'], people)).toMatchObject([
      { change: 'none' },
      { change: 'update' },
      { change: 'invite' },
      { change: 'remove' },
    ]);
    expect(await cli<unknown[]>(['member', 'export'])).toHaveLength(4);

    // Keys.
    const key = await cli(['key', 'create', '--name=ci', '--scope=events:read']);
    await cli(['key', 'list']);
    await cli(['key', 'get', key['id'] ?? '']);
    await cli(['key', 'update', key['id'] ?? '', '--name=build']);
    expect(await cli(['key', 'rotate', key['id'] ?? '', '--overlap=1h'])).toMatchObject({ name: 'build' });
    await cli(['key', 'revoke', key['id'] ?? '']);
    const personal = await cli(['key', 'create', '--name=laptop', '--personal']);
    await cli(['key', 'list', '--personal']);
    await cli(['key', 'revoke', personal['id'] ?? '', '--personal']);

    // Integrations.
    const tokenFile = join(directory, 'github.token');
    await writeFile(tokenFile, 'ghp_test\n');
    await cli(['provider', 'list']);
    expect(await cli(['provider', 'get', 'github'])).toMatchObject({ provider: 'github' });
    await cli(['provider', 'configure', 'github', '--client-id=Iv1.a', '--client-secret-file=-'], 's3cret');
    await cli(['provider', 'apps']);
    await cli(['provider', 'unconfigure', 'github']);
    await cli(['provider', 'presets']);
    await cli(['provider', 'define', '--preset=stripe']);
    await cli(['provider', 'definitions']);
    expect(await cli(['provider', 'definition', 'stripe'])).toMatchObject({ name: 'Stripe' });
    await cli(['provider', 'redefine', 'stripe', '--definition=-'], '{"name":"Payments"}');
    await cli(['provider', 'preview', 'stripe', '--payload=-'], '{"id":"evt_1","type":"a"}');
    await cli(['provider', 'undefine', 'stripe']);
    const github = await cli(['integration', 'connect', 'github', `--credential=token=@${tokenFile}`]);
    const id = github['integration_id'] ?? '';
    await cli(['integration', 'list']);
    await cli(['integration', 'update', id, '--notify-on=event.created', '--severity=high']);
    const updated = await cli(['integration', 'update', id, '--channel=#ops']);
    expect(updated['config']).toMatchObject({ channel: '#ops', notify_on: ['event.created'] });
    await cli(['integration', 'get', id]);
    await cli(['integration', 'reconnect', id, '--credential=token=-'], 'ghp_other');
    const notion = await cli(['integration', 'connect', 'notion', '--credential=token=-'], 'ntn_other');
    expect(await cli(['integration', 'sync', notion['integration_id'] ?? ''])).toMatchObject({
      status: 'running',
    });
    // Nobody on the internet can call this machine.
    expect(await worries()).toEqual(['integrations']);

    // Events, and their way to a webhook.
    const receiver = createServer((_, response) => response.end('thanks'));
    await new Promise<void>((resolve) => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void receiver.close());
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const custom = await cli(
      ['integration', 'create', '--provider=custom', '--credential=notify_url=-'],
      url,
    );
    expect(await cli(['integration', 'test', custom['integration_id'] ?? ''])).toMatchObject({
      success: true,
    });
    const webhook = await cli(['webhook', 'create', `--url=${url}`, '--trigger=*', '--generate-secret']);
    expect(webhook['secret']).toMatch(/^whsec_/);
    const hook = webhook['id'] ?? '';
    const event = await cli(['event', 'publish', '--type=deploy', '--payload={"version":"1.4.0"}']);
    await cli(['event', 'publish', '--batch=-'], '{"type":"a","payload":{}}\n{"type":"b","payload":{}}\n');
    await cli(['event', 'list', '--type=deploy']);
    expect(await cli<unknown[]>(['event', 'list', '--all-workspaces'])).toHaveLength(3);
    expect(await cli(['workspace', 'stats', '--window=24h'])).toMatchObject({ window: '24h', events: 3 });
    await cli(['workspace', 'health']);
    expect(await cli(['event', 'get', event['event_id'] ?? ''])).toMatchObject({
      payload: { version: '1.4.0' },
    });
    expect(await cli(['event', 'tail', '--since=1h', '--type=deploy', '--limit=1'])).toMatchObject({
      type: 'deploy',
    });
    await cli(['trigger', 'push']);
    expect(await cli(['listen', '--exec=cat', '--since=1h', '--type=deploy', '--limit=1'])).toMatchObject({
      type: 'deploy',
      delivered: true,
    });
    const deliveries = await vi.waitUntil(async () => {
      const list = await cli<Record<string, string>[]>(['delivery', 'list', '--status=delivered']);
      return list.length === 4 && list;
    }, PATIENT);
    const delivery = deliveries[0]?.['id'] ?? '';
    await cli(['delivery', 'list', `--webhook=${hook}`]);
    expect(await cli(['delivery', 'get', delivery])).toMatchObject({ status: 'delivered' });
    expect(await cli<unknown[]>(['delivery', 'attempts', delivery])).toMatchObject([
      { response_status: 200, response_body: 'thanks' },
    ]);
    await cli(['delivery', 'retry', delivery]);
    await cli(['delivery', 'retry', `--webhook=${hook}`, '--status=delivered', '--dry-run']);
    await cli(['delivery', 'tail', '--since=1h', '--limit=1']);
    await cli(['wait', 'delivery', delivery]);
    await cli(['wait', 'integration', id]);
    expect(await cli(['wait', 'event', event['event_id'] ?? ''])).toMatchObject({ id: event['event_id'] });
    expect(await cli<unknown[]>(['event', 'export'])).toHaveLength(4);
    const recovery = await cli(['delivery', 'retry-all', '--status=failed', `--webhook=${hook}`]);
    expect(await cli(['webhook', 'recover', hook, '--since=1h'])).toMatchObject({ webhook_id: hook });
    await cli(['wait', 'recovery', recovery['id'] ?? '']);
    expect(await cli(['recovery', 'get', recovery['id'] ?? ''])).toMatchObject({
      filters: { statuses: ['failed'] },
    });

    // Notifications.
    const templates = join(directory, 'templates.yaml');
    await writeFile(templates, 'name: Short\nbody:\n  text: "{{ event.type }}"\n');
    const template = (await cli(['template', 'create', '-f', templates]))['id'] ?? '';
    await cli(['template', 'list']);
    await writeFile(
      templates,
      '- name: Short\n  body: {text: "{{ event.type }}!"}\n- name: Long\n  body: {text: x}\n',
    );
    expect(await cli(['template', 'apply', '-f', templates])).toMatchObject([
      { name: 'Short', change: 'updated' },
      { name: 'Long', change: 'created' },
    ]);
    expect(await cli(['template', 'get', template, '--at-version=1'])).toMatchObject({ version: 1 });
    await cli(['template', 'update', template, '-f', '-'], '{"name": "Shorter"}');
    expect(await cli(['template', 'preview', template, `--event=${event['event_id']}`])).toHaveProperty(
      'text',
    );
    const texts = JSON.stringify(await cli<unknown[]>(['template', 'export']));
    expect(await cli(['template', 'apply', '-f', '-'], texts)).toMatchObject([
      { change: 'unchanged' },
      { change: 'unchanged' },
    ]);
    await cli(['template', 'delete', template]);
    const rules = join(directory, 'rules.yaml');
    await writeFile(
      rules,
      'name: All\nnotify_on: [event.created]\ndestinations: [{kind: in_app, roles: [owner]}]\n',
    );
    const rule = (await cli(['rule', 'create', '-f', rules]))['id'] ?? '';
    await cli(['rule', 'list']);
    await cli(['rule', 'get', rule]);
    expect(await cli(['rule', 'test', rule])).toMatchObject({ matched: true });
    expect(await cli(['rule', 'apply', '-f', rules])).toMatchObject([{ change: 'unchanged' }]);
    const exported = JSON.stringify(await cli(['rule', 'export']));
    expect(await cli(['rule', 'apply', '-f', '-'], exported)).toMatchObject([{ change: 'unchanged' }]);
    await cli(['rule', 'apply', '-f', '-'], exported.replace('"All"', '"Others"'));
    await cli(['rule', 'apply', '-f', '-'], exported.replace('"critical":false', '"critical":true'));
    await cli(['rule', 'update', rule, '--disable']);
    await cli(['rule', 'log', '--status=failed']);
    await cli(['rule', 'update', rule, '--enable']);
    await cli(['event', 'publish', '--type=note', '--payload={}']);
    const unread = await vi.waitUntil(
      async () => (await cli<{ id: string }[]>(['notification', 'list', '--unread']))[0]?.id,
      { timeout: 60_000 },
    );
    expect(await cli(['notification', 'read', unread])).toHaveProperty('read_at');
    expect(await cli(['notification', 'tail', '--since=1h', '--limit=1'])).toHaveProperty('title');
    await cli(['notification', 'count']);
    await cli(['notification', 'read-all']);
    await cli(['rule', 'delete', rule]);

    // Automations.
    const definition = JSON.stringify({
      name: 'Walk',
      trigger: { event: 'manual' },
      actions: [{ type: 'wait', seconds: 3_600 }],
    });
    const automation = await cli(['automation', 'create', '--file=-'], definition);
    const aut = automation['id'] ?? '';
    const second = JSON.parse(definition) as object;
    const narrowed = { ...second, conditions: { field: 'data.x', op: 'exists' } };
    const applied = JSON.stringify([narrowed, { ...second, name: 'Second' }]);
    expect(await cli<unknown>(['automation', 'apply', '--file=-'], applied)).toMatchObject([
      { name: 'Walk', change: 'updated' },
      { name: 'Second', change: 'created' },
    ]);
    const file = JSON.stringify(await cli(['automation', 'export']));
    expect(await cli<unknown>(['automation', 'apply', '--file=-'], file)).toMatchObject([
      { change: 'unchanged' },
      { change: 'unchanged' },
    ]);
    // A field that the file leaves out gets the value of a new one.
    await cli<unknown>(['automation', 'apply', '--file=-'], definition);
    expect(await cli(['automation', 'get', aut])).toMatchObject({ conditions: null });
    await cli(['automation', 'list']);
    await cli(['automation', 'export']);
    await cli(['automation', 'get', aut]);
    await cli(['automation', 'update', aut, '--name=Walked']);
    await cli(['automation', 'disable', aut]);
    await cli(['automation', 'enable', aut]);
    await cli(['automation', 'test', aut]);
    const run = (await cli(['automation', 'run', aut]))['id'] ?? '';
    expect(await cli<unknown[]>(['automation', 'runs', aut, '--since=1h'])).toHaveLength(1);
    await cli(['automation', 'get-run', aut, run]);
    await cli(['automation', 'cancel-run', aut, run]);
    await cli(['automation', 'retry-run', aut, run]);
    await cli(['automation', 'delete', aut]);

    // Webhooks.
    await cli(['webhook', 'list']);
    await cli(['webhook', 'get', hook]);
    await cli(['webhook', 'update', hook, '--type=push', '--description=mine']);
    await cli(['webhook', 'match', hook, '--conditions={"field":"event.type","op":"exists"}']);
    await cli(['webhook', 'disable', hook]);
    expect(await cli(['webhook', 'enable', hook])).toMatchObject({ status: 'active' });
    expect(await cli(['webhook', 'rotate-secret', hook])).toHaveProperty('secret');
    await cli(['webhook', 'ping', hook, `--event=${event['event_id']}`, '--payload={}']);
    await cli(['webhook', 'stats', hook]);
    await cli(['webhook', 'delete', hook]);
    await cli(['integration', 'disconnect', id]);

    // The audit log names the actor of all that. Then somebody else becomes the owner.
    expect(await cli<unknown[]>(['audit', 'list', '--action=webhook.created'])).toHaveLength(1);
    expect(await cli<unknown[]>(['audit', 'export'])).not.toHaveLength(0);
    expect(await cli(['audit', 'tail', '--since=1h', '--limit=1'])).toHaveProperty('action');
    expect(await cli(['workspace', 'transfer', 'acme', '--to=li@acme.test', '--confirm=acme'])).toMatchObject(
      { role: 'owner' },
    );

    const claims = tree.filter(({ endpoints: names = [] }) => names.length > 0);
    for (const { path, endpoints: names = [] } of claims) {
      const seen = [...(called.get(path) ?? [])];
      const expected = names.filter((name) => !SELDOM[path]?.includes(name));
      expect({ path, missing: expected.filter((name) => !seen.includes(name)) }).toEqual({
        path,
        missing: [],
      });
      expect({ path, more: seen.filter((name) => ![...names, ...LOOKUPS].includes(name)) }).toEqual({
        path,
        more: [],
      });
    }
  },
);
