import { expect, it } from 'vitest';
import {
  type IntegrationFinding,
  type IntegrationState,
  mayHaveLost,
  nextProblem,
  type Problem,
  shownStatus,
} from './integration.ts';

const THEN = '2026-01-01T00:00:00.000Z';
const NOW = '2026-01-02T00:00:00.000Z';
const CONNECTED: IntegrationState = {
  status: 'connected',
  problem: null,
  receives: true,
  registered: false,
  registering: false,
  refusal: null,
  verifiedAt: null,
  refusedCall: null,
  connectedAt: THEN,
};
const problem = (code: Problem['code']): Problem => ({ code, message: 'as it was', since: THEN });

it.each<[string, Partial<IntegrationState>, string, string | null, RegExp]>([
  ['has called', { verifiedAt: NOW }, 'connected', null, /^$/],
  ['has called and refused a hook', { verifiedAt: NOW, refusal: 'no' }, 'connected', null, /^$/],
  ['never calls', { receives: false }, 'connected', null, /^$/],
  [
    'has not called',
    {},
    'connected',
    'awaiting_hook',
    /No call from GitHub has arrived yet\. Set up the webhook there/,
  ],
  [
    'registered the hook',
    { registered: true },
    'connected',
    'awaiting_hook',
    /is registered at GitHub\. Its first/,
  ],
  [
    'refused the hook',
    { refusal: 'no rights' },
    'connected',
    'awaiting_hook',
    /did not register .*: no rights\./,
  ],
  [
    'kept the old hook and refused the new one',
    { registered: true, refusal: 'no rights' },
    'connected',
    'awaiting_hook',
    /did not register/,
  ],
  [
    'has called with a wrong secret',
    { registered: true, refusedCall: { at: NOW, reason: 'wrong signature' } },
    'connected',
    'awaiting_hook',
    /^A call arrived at 2026-01-02\S+ and was refused: wrong signature\. Compare the secret at GitHub/,
  ],
  [
    'has no credentials',
    { status: 'disconnected' },
    'disconnected',
    'awaiting_credentials',
    /has no credentials/,
  ],
  [
    'is being told of the hook',
    { registering: true },
    'connected',
    'awaiting_hook',
    /is being registered at GitHub/,
  ],
  ['refuses', { problem: problem('credentials_refused') }, 'error', 'credentials_refused', /as it was/],
  [
    'refuses, and has called',
    { problem: problem('destination_refused'), verifiedAt: NOW },
    'error',
    'destination_refused',
    /as it was/,
  ],
  [
    'has credentials that nobody can read',
    { status: 'disconnected', problem: problem('credentials_unreadable') },
    'error',
    'credentials_unreadable',
    /as it was/,
  ],
])('a provider that %s', (_what, state, status, code, message) => {
  const shown = shownStatus({ ...CONNECTED, ...state }, 'GitHub');
  expect([shown.status, shown.status_detail?.code ?? null]).toEqual([status, code]);
  expect(shown.status_detail?.message ?? '').toMatch(message);
  if (code !== null) expect(shown.status_detail?.since).toBe(THEN);
});

const FINDINGS: Readonly<Record<string, IntegrationFinding>> = {
  notified: { kind: 'notified' },
  opened: { kind: 'opened' },
  unreadable: { kind: 'unreadable' },
  channel: { kind: 'channel_changed' },
  reconnected: { kind: 'reconnected' },
  synced: { kind: 'synced' },
  pinged: { kind: 'pinged' },
  ended: { kind: 'webhook_ended', reason: 'deleted there' },
  token: { kind: 'refused', what: 'credentials', reason: '401' },
  place: { kind: 'refused', what: 'destination', reason: '404' },
};

// The problem after each finding, from none and from each problem before. `same`: nothing is written.
it.each<[from: Problem['code'] | null, to: Record<string, Problem['code'] | 'same' | null>]>([
  [
    null,
    {
      notified: 'same',
      opened: 'same',
      unreadable: 'credentials_unreadable',
      channel: 'same',
      reconnected: 'same',
      synced: 'same',
      pinged: 'same',
      ended: 'webhook_ended',
      token: 'credentials_refused',
      place: 'destination_refused',
    },
  ],
  [
    'credentials_refused',
    {
      notified: null,
      opened: 'same',
      unreadable: 'credentials_unreadable',
      channel: 'same',
      reconnected: null,
      synced: null,
      pinged: 'same',
      ended: 'webhook_ended',
      token: 'credentials_refused',
      place: 'destination_refused',
    },
  ],
  [
    'destination_refused',
    {
      notified: null,
      opened: 'same',
      unreadable: 'credentials_unreadable',
      channel: null,
      reconnected: null,
      synced: 'same',
      pinged: 'same',
      ended: 'webhook_ended',
      token: 'credentials_refused',
      place: 'destination_refused',
    },
  ],
  [
    'credentials_unreadable',
    {
      notified: null,
      opened: null,
      unreadable: 'credentials_unreadable',
      channel: 'same',
      reconnected: null,
      synced: null,
      pinged: 'same',
      ended: 'webhook_ended',
      token: 'credentials_refused',
      place: 'destination_refused',
    },
  ],
  [
    'webhook_ended',
    {
      notified: 'same',
      opened: 'same',
      unreadable: 'credentials_unreadable',
      channel: 'same',
      reconnected: null,
      synced: 'same',
      pinged: null,
      ended: 'webhook_ended',
      token: 'credentials_refused',
      place: 'destination_refused',
    },
  ],
])('the problem that follows from each finding after %s', (from, expected) => {
  const before = from && problem(from);
  for (const [name, to] of Object.entries(expected)) {
    const finding = FINDINGS[name] as IntegrationFinding;
    const after = nextProblem(before, finding, { provider: 'GitHub', now: NOW });
    if (to === 'same') expect(after, name).toBe(before);
    else expect(after?.code ?? null, name).toBe(to);
    // `since` stays the first time, however often the problem is reported again, with whatever message.
    if (to !== null && to !== 'same') expect(after?.since, name).toBe(to === from ? THEN : NOW);
    expect(nextProblem(after, finding, { provider: 'GitHub', now: '2027-01-01T00:00:00.000Z' }), name).toBe(
      after,
    );
  }
});

it.each<[Problem['code'] | null, boolean]>([
  [null, false],
  // A message that we could not send says nothing about incoming calls.
  ['destination_refused', false],
  ['credentials_refused', true],
  ['credentials_unreadable', true],
  ['webhook_ended', true],
])('while there was %s, calls may have been lost: %s', (code, lost) => {
  expect(mayHaveLost(code && problem(code))).toBe(lost);
});

it.each<[string, IntegrationFinding, RegExp]>([
  ['credentials that cannot be read', { kind: 'unreadable' }, /can no longer be decrypted\. Reconnect/],
  [
    'a webhook that ended',
    { kind: 'webhook_ended', reason: 'gone' },
    /^The webhook at GitHub has ended: gone\./,
  ],
  [
    'refused credentials',
    { kind: 'refused', what: 'credentials', reason: '401' },
    /^GitHub refused the credentials: 401\./,
  ],
  [
    'a refused message',
    { kind: 'refused', what: 'destination', reason: '404' },
    /not accepted: 404\. Correct the channel/,
  ],
])('%s has a message with its cure', (_, finding, message) => {
  expect(nextProblem(null, finding, { provider: 'GitHub', now: NOW })?.message).toMatch(message);
});
