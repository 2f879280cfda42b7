import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { errorResponse, fakeApi, pageResponse } from '../../test/fake-api.ts';
import { realServer } from '../../test/real-server.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

const { cli, json } = await realServer();

const FILE = `
name: Deploys
trigger: { event: manual }
conditions: { field: event.type, op: eq, value: deploy }
actions:
  - { type: create_event, event_type: seen, payload: { text: '{{ event.type }}' } }
---
name: Waits
trigger: { event: manual }
actions: [{ type: wait, seconds: 60 }]
`;

it('apply creates what a file describes, and applying the YAML export changes nothing', async () => {
  const apply = (kind: string, stdin: string) => cli([kind, 'apply', '-f', '-'], { stdin });
  expect((await apply('automation', FILE)).out).toMatch(/Deploys .*: created\n.*Waits .*: created\n$/);
  await apply('template', 'name: Text\nbody: { text: "{{ event.type }}" }');
  const rule = 'notify_on: [event.created]\ndestinations: [{ kind: in_app, roles: [owner] }]';
  await apply('rule', `name: All\n${rule}`);
  const file = join(await temporaryDirectory(), 'exported.yaml');
  for (const kind of ['automation', 'template', 'rule']) {
    const { out } = await cli([kind, 'export', '-o', 'yaml']);
    expect(out).toMatch(/^- name: /);
    await cli([kind, 'export', '--out', file, '--force']);
    expect(await readFile(file, 'utf8')).toBe(out);
    const { out: said } = await apply(kind, out);
    expect(
      said
        .trim()
        .split('\n')
        .every((line) => line.endsWith(': unchanged')),
      said,
    ).toBe(true);
  }
});

it('apply says unchanged for the same secret, and updated for another, for none, and for a first one', async () => {
  const apply = async (secret: string) => {
    const stdin = `name: Signed\ntrigger: { event: manual }\nsecret: ${secret}\nactions: [{ type: wait, seconds: 60 }]`;
    const { out } = await cli(['automation', 'apply', '-f', '-', '--jq=.[0] | .change'], { stdin });
    return out.trim();
  };
  const said: string[] = [];
  for (const secret of ['one-secret', 'one-secret', 'another', 'another', 'null', 'null', 'one-secret'])
    said.push(await apply(secret));
  expect(said).toEqual(['created', 'unchanged', 'updated', 'unchanged', 'updated', 'unchanged', 'updated']);
  const entries = await json<{ changes: { field: string }[] }[]>(
    'audit',
    'list',
    '--action=automation.updated',
  );
  expect(entries.slice(0, 3).map(({ changes }) => changes.map(({ field }) => field))).toEqual([
    ['secret'],
    ['secret'],
    ['secret'],
  ]);
});

const KINDS = [
  ['automation', 'trigger: { event: manual }\nactions: [{ type: wait, seconds: 60 }]'],
  ['rule', 'notify_on: [event.created]\ndestinations: [{ kind: in_app, roles: [owner] }]'],
  ['template', 'body: { text: x }'],
] as const;

it.each(KINDS)('%s apply of one file at the same moment creates everything once', async (kind, rest) => {
  const names = ['First', 'Second', 'Third'].map((name) => `${name} of ${kind}`);
  const stdin = names.map((name) => `name: ${name}\n${rest}`).join('\n---\n');
  const all = await Promise.all(
    Array.from({ length: 4 }, () => cli([kind, 'apply', '-f', '-', '--json'], { stdin })),
  );
  const ids = all.map(({ out }) => (JSON.parse(out) as { id: string }[]).map(({ id }) => id));
  for (const those of ids) expect(those).toEqual(ids[0]);
  const listed = await json<{ name: string }[]>(kind, 'list', '--all');
  expect(listed.filter(({ name }) => names.includes(name))).toHaveLength(names.length);
});

it.each(KINDS)('%s apply finds a name that the server has stored in another spelling', async (kind, rest) => {
  // A Mac composes no accents, and an editor leaves a space.
  const stdin = `name: "${kind} cafe\\u0301 "\n${rest}\n---\nname: "\\u00a0Other ${kind}"\n${rest}`;
  const apply = async () => (await cli([kind, 'apply', '-f', '-', '--json=name,change'], { stdin })).out;
  const names = [`${kind} caf\u00e9`, `Other ${kind}`];
  for (const change of ['created', 'unchanged', 'unchanged'])
    expect(JSON.parse(await apply())).toEqual(names.map((name) => ({ name, change })));
  const twice = `name: ${names[0]}\n${rest}\n---\nname: "${names[0]} "\n${rest}`;
  expect(await cli([kind, 'apply', '-f', '-'], { stdin: twice })).toMatchObject({
    code: 2,
    err: expect.stringContaining('have the same name'),
  });
});

it.each(KINDS)('%s apply creates again what was deleted or renamed since', async (kind, rest) => {
  const stdin = `name: Again ${kind}\n${rest}`;
  const apply = async () => {
    const { code, out } = await cli([kind, 'apply', '-f', '-', '--json'], { stdin });
    expect(code).toBe(0);
    const [applied] = JSON.parse(out) as { id: string; change: string }[];
    expect(applied?.change).toBe('created');
    return applied?.id ?? '';
  };
  const first = await apply();
  await json(kind, 'delete', first);
  const second = await apply();
  await json(kind, 'delete', second);
  const third = await apply();
  await cli([kind, 'update', third, '-f', '-'], { stdin: `name: Renamed ${kind}` });
  const fourth = await apply();
  expect(new Set([first, second, third, fourth]).size).toBe(4);
  expect(await json(kind, 'get', fourth)).toMatchObject({ id: fourth, name: `Again ${kind}` });
});

it('apply creates what was refused before, once the reason is gone', async () => {
  const joined = async () => {
    const { user_id: id, invite_url: link = '' } = await json('member', 'invite', 'li@acme.test');
    const env = { HUBLINE_API_KEY: '' };
    await cli(['invitation', 'accept', '--token-file=-'], { stdin: link, env });
    return id;
  };
  const id = await joined();
  await json('member', 'remove', 'li@acme.test');
  const stdin = `name: For Li\nnotify_on: [event.created]\ndestinations: [{ kind: in_app, user_ids: [${id}] }]`;
  const apply = () => cli(['rule', 'apply', '-f', '-'], { stdin });
  for (const _ of [1, 2]) expect(await apply()).toMatchObject({ code: 10 });
  await joined();
  expect(await apply()).toMatchObject({ code: 0 });
});

it.each([
  ['automation', 'trigger: { event: manual }\nactions: [{ type: wait, seconds: 60 }]\ndescription: Old'],
  ['rule', 'notify_on: [event.created]\ndestinations: [{ kind: in_app, roles: [owner] }]\ncritical: true'],
])(
  'a disabled %s stays so when its file is applied again, unless that says enabled: true',
  async (kind, rest) => {
    const stdin = `name: Paused\n${rest}`;
    const apply = (document: string) => cli([kind, 'apply', '-f', '-'], { stdin: document });
    const [, id = ''] = /\((\w+)\): created/.exec((await apply(stdin)).out) ?? [];
    await cli([kind, 'update', id, '-f', '-'], { stdin: 'enabled: false' });
    const shown = async () => JSON.parse((await cli([kind, 'get', id, '--json=enabled'])).out) as unknown;
    expect((await apply(stdin)).out).toContain(': unchanged');
    // A field that the file no longer has is removed all the same.
    expect((await apply(stdin.slice(0, stdin.lastIndexOf('\n')))).out).toContain(': updated');
    expect(await shown()).toMatchObject({ enabled: false });
    await apply(`${stdin}\nenabled: true`);
    expect(await shown()).toMatchObject({ enabled: true });
  },
);

it.each(['yaml', 'json', 'ndjson'])('apply reads what export --format %s has written', async (format) => {
  const rest: Record<string, string> = {
    automation: 'trigger: { event: manual }\nactions: [{ type: wait, seconds: 60 }]',
    template: 'body: { text: "\u2028{{ event.type }} a: }\\n{ {{ event.type }}" }',
    rule: 'notify_on: [event.created]\ndestinations: [{ kind: in_app, roles: [owner] }]',
  };
  for (const [kind, fields] of Object.entries(rest)) {
    const stdin = ['One', 'Two'].map((name) => `name: ${name}\n${fields}\n`).join('---\n');
    expect((await cli([kind, 'apply', '--file=-'], { stdin })).code).toBe(0);
    const { out } = await cli([kind, 'export', '--format', format]);
    const applied = await cli([kind, 'apply', '--file=-'], { stdin: out });
    expect(applied).toMatchObject({ code: 0, out: expect.not.stringMatching(/: (?!unchanged$)\w+$/m) });
    expect(applied.out).toMatch(/Two .*: unchanged$/m);
  }
});

it.each(['automation', 'rule', 'template'])(
  '%s apply says that an empty list has nothing to apply',
  async (noun) => {
    expect(await cli([noun, 'apply', '--file=-'], { stdin: '[]' })).toEqual({
      code: 0,
      out: '',
      err: 'There is no document in --file, and nothing to apply.\n',
    });
  },
);

it('a document that is refused does not stop the others, and says where it stands; a dry run finds the same', async () => {
  const wait = (name: string, seconds: unknown): string =>
    JSON.stringify({ name, trigger: { event: 'manual' }, actions: [{ type: 'wait', seconds, x: seconds }] });
  const good = JSON.stringify({
    name: 'Good',
    trigger: { event: 'manual' },
    actions: [{ type: 'wait', seconds: 1 }],
  });
  const stdin = `# Ours\n${wait('One', 'soon')}\n---\n${good}\n---\n- ${wait('Two', 1)}\n- ${good.replace('Good', 'Last')}\n`;
  const refusals = `✗ document 1 (line 2), One: actions[0].x is not a known field. Known fields: `;
  const apply = (...flags: string[]) => cli(['automation', 'apply', '--file=-', ...flags], { stdin });

  const rehearsed = await apply('--dry-run');
  expect(rehearsed).toMatchObject({ code: 10, err: expect.stringContaining('2 of 4 failed.') as string });
  expect(rehearsed.out.match(/Would create an automation: POST/g)).toHaveLength(2);

  const applied = await apply();
  expect(applied.code).toBe(10);
  expect(applied.out).toMatch(/^✓ Good \(aut_\w+\): created\n✓ Last \(aut_\w+\): created\n$/);
  expect(applied.err).toContain(refusals.split(' actions')[0]);
  expect(applied.err).toContain('  actions[0].seconds: must be an integer from 1 to 2592000\n');
  expect(applied.err).toMatch(/✗ document 3 \(line 6\), Two: actions\[0\]\.x .*\nError: 2 of 4 failed\.\n/);
  expect(rehearsed.err.split('Not checked')[0]).toBe(applied.err.split('Error')[0]);

  const again = JSON.parse((await apply('--json')).out) as unknown[];
  const refused = {
    code: 'invalid_request',
    message: expect.any(String) as string,
    details: expect.any(Array) as unknown,
  };
  expect(again).toEqual([
    { document: 1, line: 2, name: 'One', error: refused },
    { document: 2, line: 4, name: 'Good', id: expect.any(String) as string, change: 'unchanged' },
    { document: 3, line: 6, name: 'Two', error: refused },
    { document: 4, line: 7, name: 'Last', id: expect.any(String) as string, change: 'unchanged' },
  ]);
});

it.each([
  [
    'automation',
    'trigger: { event: manual }\nactions: [{ type: wait, seconds: soon }]',
    'actions[0].seconds',
  ],
  ['rule', 'notify_on: [event.create]\ndestinations: [{ kind: in_app, roles: [owner] }]', 'notify_on[0]'],
  ['template', 'body: {}', 'body'],
])('the only document of a file for %s apply is refused like one of several', async (kind, rest, field) => {
  const stdin = `# A comment.\nname: Alone\n${rest}\n`;
  const { code, out, err } = await cli([kind, 'apply', '--file=-'], { stdin });
  expect({ code, out }).toEqual({ code: 10, out: '' });
  expect(err).toContain(`✗ document 1 (line 2), Alone: ${field}`);
  expect(err).toMatch(/\nError: 1 of 1 failed\.\n/);
});

it('a file whose documents cannot be told apart is refused before anything is sent', async () => {
  const apply = (stdin: string) => cli(['automation', 'apply', '--file=-'], { stdin });
  expect(await apply(`${FILE}---\n- trigger: x\n- {}\n`)).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^Error: Every document needs a name: document 3 \(line \d+\), document 4 \(line \d+\) have none\.\n/,
    ) as string,
  });
  expect(await apply(`${FILE}---${FILE.split('---')[1]}`)).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^Error: Document 2 \(line \d+\) and document 3 \(line \d+\) have the same name: Waits\.\n/,
    ) as string,
  });
});

it('what would stop every document stops at the first, and says which were not tried', async () => {
  const page = pageResponse([]);
  const made = { body: { id: 'aut_1', name: 'x', updated_at: '2026-01-01T00:00:00.000Z' } };
  let posts = 0;
  const api = await fakeApi(({ method }) => {
    if (method === 'GET') return page;
    posts += 1;
    return posts === 1 ? made : errorResponse(401, 'unauthorized');
  });
  const stdin = ['a', 'b', 'c'].map((name) => `name: ${name}\n`).join('---\n');
  const { code, out, err } = await runCli(['automation', 'apply', '--file=-', '--retries=0'], {
    env: api.env,
    stdin,
  });
  expect({ code, out, posts }).toEqual({ code: 3, out: '✓ a (aut_1): created\n', posts: 2 });
  expect(err).toContain(
    '✗ document 2 (line 3), b: It is unauthorized.\n✗ document 3 (line 5), c: Not applied, because',
  );
});

it('a name that several automations have is refused with their IDs, and the commands that go on', async () => {
  const stdin = FILE.split('---')[1]?.replace('Waits', 'Twice') ?? '';
  const create = async () => (await cli(['automation', 'create', '--file=-', '-q'], { stdin })).out.trim();
  const [first, second] = [await create(), await create()];
  const { code, err } = await cli(['automation', 'apply', '--file=-'], { stdin });
  expect({ code, err }).toEqual({
    code: 10,
    err: `✗ document 1 (line 2), Twice: the workspace has 2 automations with this name: ${first}, ${second}. Change one by its ID: hubline automation update <id> --file <file>. Or delete all but one: hubline automation delete <id>
Error: 1 of 1 failed.
The output has the reason for each.
`,
  });
  expect(await cli(['automation', 'update', first, '--file=-'], { stdin })).toMatchObject({ code: 0 });
  await cli(['automation', 'delete', second, '--yes']);
  expect(await cli(['automation', 'apply', '--file=-'], { stdin })).toMatchObject({ code: 0 });
});

it.each([
  [['--event=evt_1', '--type=push'], '--event and --type cannot be combined.'],
  [['--payload={}'], '--payload needs the type of its event.'],
])('automation test refuses %j, of which it would ignore a part', async (flags, message) => {
  expect(await cli(['automation', 'test', 'aut_1', ...flags])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(message) as string,
  });
});

it('runs --follow --status shows a run that gets the status after a newer one, and ends at --limit', async () => {
  const run = (id: string, status: string, minute: number) => ({
    id,
    status,
    created_at: `2026-06-15T12:0${minute}:00.000Z`,
  });
  let lists = 0;
  const api = await fakeApi(({ path, query }) => {
    if (!path.endsWith('/runs')) return undefined;
    lists += 1;
    const runs = [run('run_new', 'failed', 2), run('run_old', lists > 1 ? 'failed' : 'running', 1)];
    return pageResponse(
      runs.filter(
        ({ status, created_at: at }) => (query['status'] ?? status) === status && at > (query['since'] ?? ''),
      ),
    );
  });
  const line = ['automation', 'runs', 'aut_1', '--follow', '--status=failed', '--limit=2', '--json=id'];
  const { code, out } = await runCli([...line, '--since=2026-06-15T12:00:00Z'], {
    env: api.env,
    signal: AbortSignal.timeout(30_000),
  });
  expect({ code, out }).toEqual({ code: 0, out: '{"id":"run_new"}\n{"id":"run_old"}\n' });
});

it('a dry run and a run are laid out on a terminal, and are documents in a pipe', async () => {
  await cli(['automation', 'apply', '--file=-'], { stdin: FILE });
  const automations = await json<{ id: string; name: string }[]>('automation', 'list');
  const { id = '' } = automations.find(({ name }) => name === 'Deploys') ?? {};
  const { event_id: event = '' } = await json('event', 'publish', '--type=push');
  const shown = async (...line: string[]) =>
    stripVTControlCharacters((await cli(['automation', ...line], { tty: true })).out);
  expect(await shown('test', id, `--event=${event}`)).toBe(
    `${event} starts a run. Nothing was sent.
  no  event.type eq: found "push"

a1 create_event
  would send {
    "type": "seen",
    "source": "automation",
    "payload": {
      "text": "push"
    }
  }
`,
  );
  const { id: run = '' } = await json('automation', 'run', id, `--event=${event}`);
  const status = async () => (await json('automation', 'get-run', id, run))['status'];
  await expect.poll(status, { timeout: 60_000 }).toBe('succeeded');
  const picture = await shown('get-run', id, run);
  expect(picture).toMatch(/^Deploys {2}succeeded, took \d/);
  expect(picture).toMatch(
    /\na1 create_event {2}succeeded\n {2}request \{\n[^]*\n {2}response \{\n {4}"event_id"/,
  );
});
