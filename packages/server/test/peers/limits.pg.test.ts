import { HEADERS } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../api/support/browser.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import { startAnother, through } from './two-processes.ts';

const LIMIT = 200;

// The clock stands still, so that the minute of a limit does not end in the middle of a test.
let now = new Date('2026-03-01T10:00:00.000Z');
const options = { clock: () => now, flags: { rateLimit: LIMIT, burst: undefined as number | undefined } };

let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace(options);
});
afterAll(() => root.stop());

const times = <Result>(count: number, make: (index: number) => Result) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('two processes', () => {
  it('let through exactly as many requests of a workspace in a minute as one process', async () => {
    const other = await startAnother(root, options);
    const workspace = await newWorkspace(root);
    now = new Date(now.getTime() + 60_000);
    const workspaces = [workspace, through(other, workspace)];
    let accepted = 0;
    let refused = 0;
    const ask = async (index: number) => {
      const { api, workspaceId } = workspaces[index % 2] as TestWorkspace;
      const { status } = await api.send('workspaces.get', { params: { id: workspaceId } });
      if (status === 200) accepted += 1;
      else refused += 1;
      expect([200, 429]).toContain(status);
    };
    // Some requests at once, as programs send them, more than are left, then one after another.
    for (let round = 0; round < 8; round += 1) await Promise.all(times(18, ask));
    await Promise.all(times(LIMIT, ask));
    expect(accepted).toBeLessThanOrEqual(LIMIT);
    // A process may get the quota that the other one holds and does not use.
    await until('the limit is used up', async () => {
      await ask(accepted + refused);
      return accepted === LIMIT;
    });
    await Promise.all(times(20, ask));
    expect(accepted).toBe(LIMIT);
  });

  it('show how many requests are left in total', async () => {
    const other = await startAnother(root, options);
    const workspace = await newWorkspace(root);
    now = new Date(now.getTime() + 60_000);
    const left = async ({ api, workspaceId }: TestWorkspace) => {
      const { headers } = await api.send('workspaces.get', { params: { id: workspaceId } });
      return Number(headers.get(HEADERS.rateLimitRemaining));
    };
    expect(await left(workspace)).toBe(LIMIT - 1);
    expect(await left(through(other, workspace))).toBe(LIMIT - 2);
  });

  it('together check ten passwords of an address in a minute', async () => {
    const other = await startAnother(root, options);
    now = new Date(now.getTime() + 60_000);
    const browsers = [new Browser(root.server.url), new Browser(other.url)];
    const statuses: number[] = [];
    for (let index = 0; index < 16; index += 1) {
      const { status } = await (browsers[index % 2] as Browser).logIn('nobody@example.com', 'wrong password');
      statuses.push(status);
    }
    expect(statuses).toEqual([...times(10, () => 401), ...times(6, () => 429)]);
  });

  it('begin new minutes again after the clock of the database was ahead', async () => {
    const workspace = await newWorkspace(root);
    const { api, workspaceId } = workspace;
    const left = async () => {
      const { headers } = await api.send('workspaces.get', { params: { id: workspaceId } });
      return Number(headers.get(HEADERS.rateLimitRemaining));
    };
    now = new Date(now.getTime() + 86_400_000);
    expect(await left()).toBe(LIMIT - 1);
    now = new Date(now.getTime() - 86_400_000);
    expect([await left(), await left()]).toEqual([LIMIT - 1, LIMIT - 2]);
    now = new Date(now.getTime() + 60_000);
    expect(await left()).toBe(LIMIT - 1);
  });
});
