import { expect, it } from 'vitest';
import type { QueuePart } from '../domain/deliveries/queue-part.ts';
import { Claimer } from './claimer.ts';
import type { Claimed, ClaimRequest, DeliveryStore, LeasedDelivery } from './delivery-store.ts';
import type { Scheduler } from './scheduler/scheduler.ts';
import type { WebhookKey } from './scheduler/webhook-queue.ts';

const log = { error: () => {} } as never;
const grant = (webhookId: string, initial: number, retry = 0) => ({
  webhookId,
  workspaceId: 'ws',
  buffered: 0,
  claims: { initial, retry },
});
const delivery = (id: string, part: QueuePart) => ({ id, part }) as LeasedDelivery;

/** A claimer over a store that answers as `answer` does, and what it told everybody. */
function claimerOver(
  answer: (requests: readonly ClaimRequest[]) => Partial<Claimed>[],
  owner: string | null = 'me',
) {
  const told: string[] = [];
  const requests: ClaimRequest[][] = [];
  const work: Promise<unknown>[] = [];
  const tell =
    (what: string) =>
    ({ webhookId }: WebhookKey, ...rest: unknown[]) =>
      void told.push([what, webhookId, ...rest].join(' '));
  const scheduler = {
    pause: tell('pause'),
    expect: tell('expect'),
    release: tell('release'),
    wake: tell('wake'),
  } as unknown as Scheduler;
  const claimer = new Claimer(
    { log },
    {
      owner: () => owner,
      store: {
        claim: async (_owner: string, wanted: readonly ClaimRequest[]) => {
          requests.push([...wanted]);
          return answer(wanted).map((one) => ({ deliveries: [], nextDueAt: {}, pausedUntil: 0, ...one }));
        },
      } as unknown as DeliveryStore,
      scheduler,
      begin: ({ id }) => void told.push(`begin ${id}`),
      track: (promise) => void work.push(promise),
      dispatch: (inMs) => void told.push(inMs === undefined ? 'dispatch' : `dispatch in ${inMs}`),
    },
  );
  const settle = async () => {
    while (work.length > 0) await work.shift();
  };
  return { claimer, told, requests, settle };
}

it('grants of one turn of the loop are one claim, those of a webhook added together', async () => {
  const { claimer, requests, settle } = claimerOver(() => []);
  for (const one of [grant('a', 1), grant('b', 2, 1), grant('a', 3, 4)]) claimer.claim(one);
  await settle();
  expect(requests).toEqual([
    [
      { webhookId: 'a', limits: { initial: 4, retry: 4 } },
      { webhookId: 'b', limits: { initial: 2, retry: 1 } },
    ],
  ]);
});

it.each<[what: string, claimed: Partial<Claimed>, told: string[]]>([
  [
    'begins what was claimed, and gives unused permits back',
    { deliveries: [delivery('d1', 'initial'), delivery('d2', 'retry')] },
    ['begin d1', 'begin d2', 'release a initial 1', 'dispatch'],
  ],
  [
    'expects the next one of each part',
    {
      deliveries: [delivery('d1', 'initial'), delivery('d2', 'initial'), delivery('d3', 'retry')],
      nextDueAt: { initial: 50, retry: null },
    },
    ['begin d1', 'begin d2', 'begin d3', 'expect a initial 50', 'dispatch'],
  ],
  [
    'pauses a webhook at its rate limit, and expects nothing earlier',
    { nextDueAt: { initial: 50, retry: 90 }, pausedUntil: 70 },
    [
      'pause a 70',
      'expect a initial 70',
      'release a initial 2',
      'expect a retry 90',
      'release a retry 1',
      'dispatch',
    ],
  ],
])('%s', async (_, claimed, expected) => {
  const { claimer, told, settle } = claimerOver(() => [{ webhookId: 'a', ...claimed }]);
  claimer.claim(grant('a', 2, 1));
  await settle();
  expect(told).toEqual(expected);
});

it.each<[what: string, owner: string | null, inMs: number]>([
  ['a store that fails', 'me', 1_000],
  ['a process that the others do not see', null, 100],
])('%s: the permits are given back, and the webhook has another turn', async (_, owner, inMs) => {
  const { claimer, told, settle } = claimerOver(() => {
    throw new Error('down');
  }, owner);
  claimer.claim(grant('a', 2));
  await settle();
  expect(told).toEqual(['wake a initial', 'release a initial 2', `dispatch in ${inMs}`]);
});
