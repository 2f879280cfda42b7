import { beforeEach, describe, expect, it } from 'vitest';
import { nextTurn } from '../clock/timer.ts';
import type { Fault } from '../domain/faults/fault.ts';
import { HashQueue } from './hash-queue.ts';

let now: number;
let queue: HashQueue;
/** The addresses in the order of their turns; the last one is running. */
let turns: string[];
let finish: () => void;

beforeEach(() => {
  now = 0;
  queue = new HashQueue(() => now);
  turns = [];
});

/** Asks for a hash; returns `done`, or the code of the refusal. */
async function ask(from: string, label = from): Promise<string> {
  now += 1;
  try {
    await queue.run(from, () => {
      turns.push(label);
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    return 'done';
  } catch (error) {
    return (error as Fault).code;
  }
}

/** Ends the hash that is running, and lets the next one begin. */
async function next(): Promise<void> {
  finish();
  await nextTurn();
}

async function drain(): Promise<void> {
  for (let length = -1; length !== turns.length;) {
    length = turns.length;
    await next();
  }
}

describe('the queue of hashes', () => {
  it('runs one at a time', async () => {
    const both = [ask('a'), ask('b')];
    expect(turns).toEqual(['a']);
    await next();
    expect(turns).toEqual(['a', 'b']);
    await next();
    expect(await Promise.all(both)).toEqual(['done', 'done']);
  });

  it('goes on after a hash that failed', async () => {
    await expect(queue.run('a', () => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
    const after = ask('b');
    await next();
    expect(await after).toBe('done');
  });

  it('starts with the address that has hashed least, and of equal ones with the latest', async () => {
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((label) => ask(label.slice(0, 1), label));
    await drain();
    expect(turns).toEqual(['a1', 'c1', 'b1', 'b2', 'a2', 'a3']);
    expect(new Set(await Promise.all(all))).toEqual(new Set(['done']));
  });

  it('lets four of an address wait, and refuses the fifth', async () => {
    const all = Array.from({ length: 6 }, () => ask('a'));
    await drain();
    expect(await Promise.all(all)).toEqual([...Array<string>(5).fill('done'), 'rate_limited']);
  });

  it('lets an address that comes once pass a crowd that asks again and again', async () => {
    const crowd = Array.from({ length: 60 }, (_, index) => ask(`address ${index % 6}`));
    const once = ask('once');
    const more = Array.from({ length: 60 }, (_, index) => ask(`address ${index % 6}`));
    await drain();
    expect(await once).toBe('done');
    expect(turns.indexOf('once')).toBeLessThanOrEqual(6);
    expect(await Promise.all([...crowd, ...more])).toContain('service_unavailable');
  });

  it('lets sixteen wait, and refuses the last in the queue', async () => {
    const first = ask('first');
    const again = ask('first', 'again');
    const crowd = Array.from({ length: 16 }, (_, index) => ask(`address ${index}`));
    expect(await again).toBe('service_unavailable');
    await drain();
    expect(new Set(await Promise.all([first, ...crowd]))).toEqual(new Set(['done']));
    expect(turns).not.toContain('again');
  });

  it('refuses a hash that has waited for more than five seconds', async () => {
    const all = [ask('a'), ask('b')];
    now += 5_001;
    all.push(ask('c'));
    await drain();
    expect(await Promise.all(all)).toEqual(['done', 'service_unavailable', 'done']);
    expect(turns).toEqual(['a', 'c']);
  });

  it('forgets after a minute which addresses have hashed', async () => {
    const before = [ask('a'), ask('a')];
    await drain();
    now += 60_000;
    const after = [ask('running'), ask('b'), ask('a')];
    await drain();
    expect(turns).toEqual(['a', 'a', 'running', 'a', 'b']);
    expect(new Set(await Promise.all([...before, ...after]))).toEqual(new Set(['done']));
  });
});
