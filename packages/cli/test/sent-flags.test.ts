import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import document from '@hubline/contract/openapi.json' with { type: 'json' };
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Command } from '../src/spec/command.ts';
import type { Flag, ValueFlag } from '../src/spec/flag.ts';
import { fakeApi, type Received } from '../src/test/fake-api.ts';
import { runCli } from '../src/test/run-cli.ts';
import { allCommands, minimalLine } from '../src/test/tree.ts';

// A flag that a command takes and never sends changes nothing, and says nothing: its user believes that it worked. So every flag of every
// command that calls the API must change what is sent.

/** Flags that are not for the API, and the reason. A key is a flag, or a command and its flag. */
const NOT_SENT: Readonly<Record<string, string>> = {
  '--confirm': 'the name of what is deleted, compared here',
  '--out': 'the file to write',
  '--force': 'replaces the file',
  '--format': 'the format of the file; the audit log is asked for its own',
  '--follow': 'goes on with the same requests',
  '--within': 'the time to wait for a result',
  'event tail --limit': 'a stream ends here',
  'event tail --resume-file': 'is written at the end; its content is read by the next tail',
  'notification tail --limit': 'a stream ends here',
  'delivery tail --limit': 'ends here',
  'delivery tail --status': 'deliveries are followed through all their statuses, and filtered here',
  'audit tail --limit': 'ends here',
  'event export --cursor-file': 'is written at the end; its content is read by the next export',
  'member import --diff': 'prints the changes instead of making them',
  'wait --for': 'the status to wait for, compared here',
  'doctor --fix': 'changes files of this machine',
  'auth login --browser': 'opens the browser',
  'auth login --key-file': 'the key of the requests themselves',
  'auth login --with-key': 'says that the key comes from stdin',
  'trigger --print': 'sends nothing',
  'trigger --rate': 'the time between two requests',
};

/** Commands whose other flags shape the calls that this machine makes, not those to the API. */
const FORWARDING: Readonly<Record<string, readonly string[]>> = {
  listen: ['type', 'source', 'since'],
  trigger: ['data', 'source', 'set', 'times', 'print', 'rate'],
};

/** The words that make a command send its requests, where its required arguments and flags do not suffice. A key is a command, or a command and its flag. */
const LINES: Readonly<Record<string, string>> = {
  'member invite': 'li@acme.test',
  'member invite --file': '',
  'member import': 'PEOPLE',
  'workspace transfer': '--to=x --confirm=acme',
  'provider define --definition': '',
  'provider define': '--preset=acme-ci',
  'provider define --preset': '',
  'provider redefine': 'acme-ci --definition={}',
  'provider preview': 'acme-ci --payload=BATCH',
  'provider preview --definition': '--payload=BATCH',
  'provider configure': 'x --client-id=x --client-secret-file=SECRET',
  'integration reconnect': 'x --credential=a=b',
  'integration update': 'x --name=x',
  'integration update --name': 'x --channel=x',
  'workspace update': '--name=x',
  'workspace update --name': '--slug=x',
  'event publish': '--type=x',
  'event publish --batch': '',
  'event tail': '--limit=1',
  'delivery tail': '--limit=1 --since=1h',
  'delivery retry': '--status=failed',
  'delivery tail --since': '--limit=1 --since=1h',
  'audit tail': '--limit=1 --since=1h',
  'audit tail --since': '--limit=1 --since=1h',
  'notification tail': '--limit=1',
  'automation update': 'x --name=x',
  'automation update --name': 'x --description=x',
  'automation update --file': 'x',
  'automation test': 'x --type=x',
  'automation test --event': 'x',
  'automation test --type': 'x',
  'webhook create': '--url=x --trigger=* --generate-secret',
  'webhook create --secret-file': '--url=x --trigger=*',
  'webhook create --generate-secret': '--url=x --trigger=*',
  'webhook update': 'x --name=x',
  'webhook update --name': 'x --description=x',
  'webhook ping': 'x --type=x',
  'rule update': 'x',
  'key update': 'x --name=x',
  'key update --name': 'x --role=owner',
  'invitation accept': '--token-file=SECRET --password-file=SECRET',
  listen: '--exec=true --limit=1 --since=1h',
  trigger: 'push',
  wait: 'event x',
};

/** Values of flags, where `other` is not one. A key is a flag, or a command and its flag. */
const VALUES: Readonly<Record<string, string>> = {
  '--conditions': '{"field":"event.type","op":"exists"}',
  '--payload': '{"a":1}',
  '--data': '{"a":1}',
  '--config': '{"channel":"other"}',
  '--definition': '{"provider":"other","name":"Other"}',
  '--credential': 'other=value',
  '--header': 'x-other: value',
  '--set': 'payload.ref=other',
  '--file': 'DOCUMENT',
  'member invite --file': 'PEOPLE',
  '--batch': 'BATCH',
  '--plan': 'team',
  'trigger --source': 'gitlab',
  'provider preview --payload': 'DOCUMENT',
  'provider define --preset': 'acme-ci',
};

const now = Date.parse('2026-03-01T10:00:00Z');
const FILES: Readonly<Record<string, string>> = {
  DOCUMENT: '{"name":"other"}',
  BATCH: '{"type":"other","payload":{}}\n',
  PEOPLE: 'email,role\nkim@acme.test,viewer\n',
  SECRET: 'the secret of this test',
  OTHER: 'another secret of this test',
};
let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hubline-cli-sent-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(directory, name), text);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

interface Media {
  example?: unknown;
  examples?: Readonly<Record<string, { value: unknown }>>;
}
interface Operation {
  responses: Readonly<Record<string, { content?: Readonly<Record<string, Media>> }>>;
}

/** The path of the document that a request is for: of two that fit, the one with fewer placeholders. */
function operationOf({ method, path }: Received): Operation | undefined {
  const placeholders = (template: string) => template.split('{').length;
  const fitting = Object.entries(document.paths as object)
    .filter(([template]) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .toSorted(([a], [b]) => placeholders(a) - placeholders(b));
  return fitting.map(([, item]) => (item as Record<string, Operation>)[method.toLowerCase()]).find(Boolean);
}

/** Responds as the API's own document shows it, with lists that end. */
function respond(request: Received) {
  const responses = operationOf(request)?.responses ?? {};
  const status = Object.keys(responses).find((code) => code.startsWith('2'));
  if (status === undefined) return undefined;
  const { content = {} } = responses[status] ?? {};
  const wanted = request.headers.accept ?? '';
  const type = wanted in content ? wanted : (Object.keys(content)[0] ?? '');
  const { example, examples = {} } = content[type] ?? {};
  const body = example ?? Object.values(examples)[0]?.value;
  const headers = { 'content-type': type };
  if (type === 'text/event-stream') return { headers, text: `id: 1\ndata: ${JSON.stringify(body)}\n\n` };
  if (typeof body === 'string') return { headers, text: body };
  if (typeof body !== 'object' || body === null || !('pagination' in body))
    return { status: Number(status), body };
  return { body: { ...body, pagination: { next_cursor: null, has_more: false } } };
}

/** The requests that a command line makes. */
async function sentBy(words: readonly string[]) {
  const api = await fakeApi(respond);
  const line = words.map((word) =>
    word.replace(/(^|=)([A-Z]+)$/, (text, before: string, name: string) =>
      name in FILES ? `${before}${join(directory, name)}` : text,
    ),
  );
  const { code, err } = await runCli([...line, '--yes', '--retries=0', '--no-input'], { env: api.env, now });
  return {
    code,
    err,
    sent: api.received.map(({ method, path, query, body }) => ({ method, path, query, body })),
  };
}

/** A line of a command that sends its requests. */
function usualLine(name: string, command: Command): string[] {
  const own = LINES[`${command.path} --${name}`] ?? LINES[command.path];
  return own === undefined
    ? minimalLine(command)
    : [...command.path.split(' '), ...own.split(' ').filter(Boolean)];
}

function typed(name: string, flag: Flag, command: Command): string {
  if (flag.type === 'boolean') return `--${name}`;
  return `--${name}=${VALUES[`${command.path} --${name}`] ?? VALUES[`--${name}`] ?? anyValue(name, flag)}`;
}

function anyValue(name: string, { choices, default: usual, type }: ValueFlag): string {
  if (name.endsWith('-file')) return 'OTHER';
  return (
    choices?.findLast((choice) => choice !== usual) ??
    { text: 'other', integer: '7', duration: '3h', time: '3h', later: '3h' }[type]
  );
}

const all = (await allCommands())
  .filter(({ endpoints = [] }) => endpoints.length > 0)
  .flatMap((command) => Object.entries(command.flags ?? {}).map(([name, flag]) => ({ command, name, flag })));
const rows = all
  .filter(
    ({ command: { path }, name }) =>
      !(`--${name}` in NOT_SENT) &&
      !(`${path} --${name}` in NOT_SENT) &&
      FORWARDING[path]?.includes(name) !== false,
  )
  .map((row) => [row.command.path, `--${row.name}`, row] as const);

it.each(rows)('%s sends what %s says', async (_path, _flag, { command, name, flag }) => {
  const usual = usualLine(name, command);
  const others = usual.filter((word) => word.split('=')[0] !== `--${name}`);
  const without = await sentBy(usual);
  const given = await sentBy([...others, typed(name, flag, command)]);
  // 9 is a "no" of the server.
  expect([0, 9], given.err).toContain(given.code);
  expect(given.sent).not.toEqual(without.sent);
});

it('exempts no flag that is gone', () => {
  const flags = new Set(all.flatMap(({ command, name }) => [`--${name}`, `${command.path} --${name}`]));
  expect(Object.keys(NOT_SENT).filter((key) => !flags.has(key))).toEqual([]);
});
