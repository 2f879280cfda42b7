import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { realServer } from '../../test/real-server.ts';
import { temporaryDirectory } from '../../test/run-cli.ts';

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

it('a fault in a file is reported with the name of its document, by a dry run, too', async () => {
  const stdin = FILE.replace('seconds: 60', 'seconds: soon');
  for (const flags of [[], ['--dry-run']]) {
    expect(await cli(['automation', 'apply', '--file=-', ...flags], { stdin })).toMatchObject({
      code: 6,
      err: expect.stringContaining(
        'Error: Waits: actions[0].seconds must be an integer from 1 to 2592000.',
      ) as string,
    });
  }
  const { out } = await cli(['automation', 'apply', '--file=-', '--dry-run'], { stdin: FILE });
  expect(out.match(/Would send (?:POST|PATCH)/g)).toHaveLength(2);
});

it('a name that several automations have is refused with their ids, and the commands that go on', async () => {
  const stdin = FILE.split('---')[1]?.replace('Waits', 'Twice') ?? '';
  const create = async () => (await cli(['automation', 'create', '--file=-', '-q'], { stdin })).out.trim();
  const [first, second] = [await create(), await create()];
  const { code, err } = await cli(['automation', 'apply', '--file=-'], { stdin });
  expect({ code, err }).toEqual({
    code: 2,
    err: `Error: There are 2 with the name Twice: ${first}, ${second}.
Change one by its id: hubline automation update <id> --file <file>. Or delete all but one: hubline automation delete <id>
`,
  });
  expect(await cli(['automation', 'update', first, '--file=-'], { stdin })).toMatchObject({ code: 0 });
  await cli(['automation', 'delete', second, '--yes']);
  expect(await cli(['automation', 'apply', '--file=-'], { stdin })).toMatchObject({ code: 0 });
});

it('a dry run and a run are laid out on a terminal, and documents in a pipe', async () => {
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
