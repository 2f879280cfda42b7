import { createHmac } from 'node:crypto';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { pause } from '../../clock/timer.ts';
import { custom } from '../custom/custom.ts';
import { definedProvider } from '../defined/defined.ts';
import type { Definition } from '../defined/definition.ts';
import { github } from '../github/github.ts';
import { CallReader, type CallRules } from './call-reader.ts';
import { readCall } from './read-call.ts';

const SECRET = 'a secret of many letters';
const NOW = new Date('2026-01-02T03:04:05.000Z');
const MIB = 1024 * 1024;

const DEFINITION: Definition = {
  provider: 'acme',
  name: 'Acme',
  verification: { kind: 'hmac', header: 'x-acme' },
};

const RULES: Readonly<Record<string, CallRules>> = {
  'a built-in provider': { provider: github, definition: null, format: 'own' },
  'the custom provider': { provider: custom, definition: null, format: 'own' },
  'the custom provider, in the format of Slack': { provider: custom, definition: null, format: 'slack' },
  'a defined provider': {
    provider: definedProvider(DEFINITION),
    definition: JSON.stringify(DEFINITION),
    format: 'own',
  },
};

function callOf(text: string, secret = SECRET) {
  const body = Buffer.from(text);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${signature}`,
    'x-acme': signature,
    'x-github-event': 'push',
  };
  return { headers, body, query: { token: secret }, now: NOW };
}

const CREDENTIALS = { secret: SECRET, webhook_secret: SECRET };
const LONG = `{"id":1,"text":"${'ä'.repeat(MIB)}"}`;

function readerOf(program?: URL): { reader: CallReader; deaths: Error[] } {
  const deaths: Error[] = [];
  const reader = new CallReader({ program, onDeath: (reason) => deaths.push(reason) });
  onTestFinished(() => reader.end());
  return { reader, deaths };
}

const shared = new CallReader({ onDeath: (reason) => expect.fail(reason.message) });
afterAll(() => shared.end());

test.each(Object.entries(RULES))('a long call of %s is read as a short one would be', async (_, rules) => {
  const verifier = rules.format === 'slack' ? custom.slack : rules.provider;
  if (!verifier) throw new Error('There is nothing to verify with.');
  for (const [text, secret] of [
    [LONG, SECRET],
    [LONG, 'another secret'],
    ['x'.repeat(MIB), SECRET],
  ] as const) {
    const here = readCall(verifier, callOf(text, secret), CREDENTIALS);
    const there = await shared.read(rules, callOf(text, secret), CREDENTIALS);
    if (here.ok && there.ok && here.received.kind === 'event' && there.received.kind === 'event') {
      expect(there.received.payload).toBeInstanceOf(Buffer);
      expect(String(there.received.payload)).toBe(here.received.payload);
      expect({ ...there.received, payload: '' }).toEqual({ ...here.received, payload: '' });
    } else expect(there).toEqual(here);
  }
});

test('a short call needs no thread, and keeps its body', async () => {
  const { reader, deaths } = readerOf(new URL('data:text/javascript,throw new Error("not a thread")'));
  const call = callOf('{"id":1}');
  expect(await reader.read(RULES['the custom provider'] as CallRules, call, CREDENTIALS)).toMatchObject({
    ok: true,
    received: { kind: 'event', payload: '{"id":1}' },
  });
  expect(call.body).toHaveLength(8);
  expect(deaths).toEqual([]);
});

test('a call whose thread dies is a 503, and the next one has a new thread', async () => {
  const { reader, deaths } = readerOf(new URL('data:text/javascript,throw new Error("it dies")'));
  const rules = RULES['the custom provider'] as CallRules;
  for (const times of [1, 2]) {
    await expect(reader.read(rules, callOf(LONG), CREDENTIALS)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect(deaths.map(({ message }) => message)).toEqual(Array.from({ length: times }, () => 'it dies'));
  }
});

test('a call that its provider cannot read fails alone', async () => {
  const unknown = { ...custom, key: 'unknown' };
  const rules: CallRules = { provider: unknown, definition: null, format: 'own' };
  await expect(shared.read(rules, callOf(LONG), CREDENTIALS)).rejects.toThrow('no provider "unknown"');
});

test('the work for long calls is done one after the other, also after one that failed', async () => {
  const { reader } = readerOf();
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (running += 1));
    await pause(5);
    running -= 1;
    throw new Error('failed');
  };
  const all = Array.from({ length: 4 }, () => reader.inTurn(Buffer.alloc(2 * MIB), work));
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
  expect(most).toBe(1);
});

test('the work for a short call does not wait for that of a long one', async () => {
  const { reader } = readerOf();
  const { promise, resolve } = Promise.withResolvers<string>();
  const long = reader.inTurn(Buffer.alloc(2 * MIB), () => promise);
  expect(await reader.inTurn(Buffer.alloc(1_000), async () => 'short')).toBe('short');
  resolve('long');
  expect(await long).toBe('long');
});
