import { type EndpointName, endpoints } from '@hubline/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Tx } from '../../../src/db/core/schema.ts';
import { closeWorkspace, removeSome, removeWorkspace } from '../../../src/db/workspaces/remove-workspace.ts';
import { changing } from '../../peers/changing.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';
import { uncheckedEnv, validCalls } from '../support/valid-calls.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  root = await startWorkspace({ env: uncheckedEnv(receiver.url) });
});
afterAll(async () => {
  await root.stop();
  await receiver.stop();
});

const WAYS: Record<string, (tx: Tx, id: string) => Promise<void>> = {
  deleted: (tx, id) => closeWorkspace(tx, { workspaceId: id, now: new Date().toISOString() }),
  removed: async (tx, id) => {
    while (await removeSome(tx, id, 1_000));
    await removeWorkspace(tx, id);
  },
};

const writes = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => endpoints[name].access.kind === 'workspace' && endpoints[name].method !== 'GET',
);

it.each(Object.keys(WAYS).flatMap((way) => writes.map((name) => [name, way] as const)))(
  '%s in a workspace that is being %s is done before it, or gets 404',
  async (name, way) => {
    const workspace = await newWorkspace(root);
    const input = await validCalls(receiver.url)[name](workspace);
    const deleting = await changing(workspace, async (tx) => WAYS[way]?.(tx, workspace.workspaceId));
    let isOver = false;
    const sent = workspace.api.send(name, input).finally(() => (isOver = true));
    await until('the request waits or is over', async () => isOver || deleting.isWaitedFor());
    await deleting.commit();
    const { status, text } = await sent;
    expect(`${status} ${text}`).toMatch(/^(?:20[0-4]|404) /);
  },
);
