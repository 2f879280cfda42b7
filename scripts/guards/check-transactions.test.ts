import { describe, expect, it } from 'vitest';
import { transactionProblems } from './check-transactions.ts';

const problems = (text: string): string[] => transactionProblems('services/a.ts', text);

describe('inside a write', () => {
  it.each([
    ['fetch', 'await store.write(async (tx) => { await fetch(url); });'],
    ['the injected way out', 'await context.write(async (tx) => { await context.providerHttp(request); });'],
    ['the way out, taken apart before', 'await write(async (tx) => { await providerHttp(request); });'],
    ['the way out, handed on', 'await context.write((tx) => register(tx, context.providerHttp));'],
    ['mail', 'await context.write(async (tx) => { await context.mail.send(invitation); });'],
    ['waking the engine early', 'await context.write(async (tx) => { context.wake([id]); });'],
    ['announcing early', 'await context.write(async (tx) => { announce(workspaceId); });'],
    ['a timer', 'await db.write(async (tx) => { setTimeout(done, 5); });'],
    ['a sleep', 'await db.write(async function (tx) { await sleep(5); });'],
    ['a pause', 'await write(async (tx) => { await pause(5); });'],
    ['a wait for other work', 'await write(async (tx) => { await endsWithin(5, work); });'],
    ['a turn of the event loop', 'await write(async (tx) => { await nextTurn(); });'],
    [
      'a provider that calls its API',
      'await db.write(async (tx) => { await provider.validate(credentials); });',
    ],
    ['a provider from the registry', 'await db.write(async (tx) => providers.get(type).register(hook));'],
    ['another write', 'await db.write(async (tx) => { await db.write(async (inner) => insert(inner)); });'],
    ['a function that is given the transaction', 'async function store(tx: Tx) { await fetch(url); }'],
    ['such a method', 'class A { store(deps, tx) { deps.wakeJobs(); } }'],
    ['such an expression', 'const store = async (one: Tx) => { offerJob(row); };'],
    [
      'a call in a nested function',
      'await db.write((tx) => Promise.all(rows.map(async (row) => fetch(row.url))));',
    ],
  ])('%s is refused', (_name, text) => {
    expect(problems(text).length).toBeGreaterThan(0);
  });

  it('names the line and the cure', () => {
    expect(problems('await db.write(async (tx) => {\n  await fetch(url);\n});')).toEqual([
      'services/a.ts:2 fetch reaches the network inside a write: do it before or after the transaction',
    ]);
    expect(problems('async function store(tx: Tx) {\n  context.wake([id]);\n}')).toEqual([
      'services/a.ts:2 wake inside a write makes others read what is not committed yet: pass it to afterCommit',
    ]);
  });

  it.each([
    ['statements', 'await db.write(async (tx) => { await insertEvent(tx, event); });'],
    [
      'a pure provider call',
      'await db.write(async (tx) => insert(tx, provider.receive(request, credentials)));',
    ],
    [
      'what waits for the commit',
      'await context.write(async (tx) => { context.afterCommit(() => context.wake([id])); });',
    ],
    [
      'what such a function leaves to the commit',
      "async function store(tx: Tx) { context.afterCommit('wake', () => context.wake([id])); }",
    ],
    [
      'the question whether there is mail at all',
      'async function invite(tx: Tx) { if (mail.sends) await enqueue(tx); }',
    ],
    ['domain rules that share a name', 'await db.write(async (tx) => insert(tx, schema.validate(input)));'],
  ])('%s are allowed', (_name, text) => {
    expect(problems(text)).toEqual([]);
  });
});

describe('outside a write', () => {
  it.each([
    [
      'the network before and after it',
      'await fetch(a); await db.write(async (tx) => insert(tx)); await fetch(b);',
    ],
    ['two writes in a row', 'await db.write(async (tx) => a(tx)); await db.write(async (tx) => b(tx));'],
    ['a stream', "process.stdout.write('text'); response.write(chunk);"],
  ])('%s is allowed', (_name, text) => {
    expect(problems(text)).toEqual([]);
  });
});
