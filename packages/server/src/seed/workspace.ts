import { randomBytes } from 'node:crypto';
import type { Deps } from '../context.ts';
import { touchApiKeys } from '../db/identity/api-keys.ts';
import { insertSession } from '../db/identity/sessions.ts';
import { setPassword } from '../db/identity/users.ts';
import type { Role } from '@hubline/contract';
import { Passwords } from '../secrets/passwords.ts';
import { bootstrap } from '../services/workspaces/setup.ts';
import { addAutomations, addNotificationRules } from './automations-and-rules.ts';
import { call, type SeedCaller } from './caller.ts';
import { DOMAIN, INVITED, OWNER, type Person, TEAM } from './cast.ts';
import type { Connected } from './incoming.ts';
import { RECEIVERS } from './receivers.ts';
import { TOKEN } from './tool-apis.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The owner of a seeded workspace: the key for programs, the password for the dashboard. */
export interface SeedOwner {
  readonly email: string;
  readonly key: string;
  readonly password: string;
  readonly workspaceId: string;
}

/** A workspace before its history begins. */
export interface Furnished {
  owner: SeedOwner;
  connected: Connected;
  /** The acts of its people during the history. */
  acts: readonly Act[];
  /** The users who have a session until the end of the history. */
  sessions: readonly string[];
}

/** An action of a person, and its time in milliseconds since the epoch. */
export interface Act {
  at: number;
  run: () => Promise<unknown>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Makes the workspace of an invented company as its people would: through the API's own endpoints, over some weeks. */
export async function furnish(deps: Deps, clock: VirtualClock, until: number): Promise<Furnished> {
  const daysAgo = (days: number) => clock.set(until - days * DAY_MS);
  daysAgo(41.1);
  const { owner, mara } = await makeOwner(deps);
  const members: SeedCaller[] = [];
  for (const [index, member] of TEAM.entries()) {
    daysAgo(40.2 - index * 3.1);
    members.push(await join(deps, mara, member));
  }
  const [jonas = mara, priya = mara, tomas = mara] = members;
  daysAgo(24.3);
  const connected = await connectTools(deps, clock, jonas);
  await addWebhooks(deps, clock, jonas);
  daysAgo(20.4);
  const keys = await makeKeys(deps, clock, mara);
  daysAgo(12.2);
  await addAutomations(deps, clock, { caller: tomas, connected });
  daysAgo(11.3);
  await addNotificationRules(deps, clock, { caller: priya, connected });

  const params = { id: mara.access.workspaceId };
  const aiko = members[3] ?? mara;
  const [noor, auditor] = INVITED;
  const before = (hours: number, run: Act['run']): Act => ({ at: until - hours * HOUR_MS, run });
  return {
    owner,
    connected,
    sessions: [mara, ...members].map(({ actor }) => actor.userId),
    acts: [
      before(52, () => call(deps, mara, { name: 'members.invite', params, body: noor })),
      before(31, () => call(deps, mara, { name: 'apiKeys.revoke', params: { ...params, keyId: keys.old } })),
      before(27, () =>
        call(deps, jonas, {
          name: 'members.update',
          params: { ...params, userId: aiko.actor.userId },
          body: { role: 'viewer' },
        }),
      ),
      before(26.9, () =>
        call(deps, jonas, {
          name: 'members.update',
          params: { ...params, userId: aiko.actor.userId },
          body: { role: 'member' },
        }),
      ),
      before(5.2, () => call(deps, mara, { name: 'members.invite', params, body: auditor })),
      before(0.2, () => {
        const now = clock.now();
        return deps.store.write((tx) => touchApiKeys(tx, keys.usedUntil(now), now));
      }),
    ],
  };
}

async function makeOwner(deps: Deps): Promise<{ owner: SeedOwner; mara: SeedCaller }> {
  const { email } = OWNER;
  const password = randomBytes(12).toString('base64url');
  // The only password that will be used, so it gets a real hash.
  const hash = await new Passwords().hash({ ip: null, now: deps.clock() }, password);
  const workspace = { name: 'Fernhill', slug: 'fernhill' };
  const made = await bootstrap(deps, { email, workspace }, { newKey: false });
  const now = deps.clock().toISOString();
  await deps.store.write((tx) => setPassword(tx, { id: made.user_id, hash, now }));
  const workspaceId = made.workspace_id ?? '';
  return {
    owner: { email, key: made.api_key, password, workspaceId },
    mara: await logIn(deps, { userId: made.user_id, email, role: 'owner', workspaceId }),
  };
}

// Longer than the history.
const SESSION_DAYS = 60;

interface Member {
  userId: string;
  email: string;
  role: Role;
  workspaceId: string;
}

/** Logs a person in for the whole history. */
async function logIn(deps: Deps, { userId, email, role, workspaceId }: Member): Promise<SeedCaller> {
  const now = deps.clock();
  const session = `seed ${userId}`;
  await deps.store.write((tx) =>
    insertSession(tx, {
      token_hash: session,
      user_id: userId,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + SESSION_DAYS * DAY_MS).toISOString(),
    }),
  );
  const credential = {
    kind: 'session' as const,
    id: null,
    session,
    workspaceId: null,
    scopes: ['*'],
    role: null,
    expiresAt: null,
    overlapEndsAt: null,
  };
  return { actor: { userId, email, credential }, access: { workspaceId, role } };
}

/** Invites somebody, who accepts. */
async function join(deps: Deps, mara: SeedCaller, { email, role }: Person): Promise<SeedCaller> {
  const { workspaceId } = mara.access;
  const body = { email, role };
  const invited = await call(deps, mara, { name: 'members.invite', params: { id: workspaceId }, body });
  const token = new URL(invited.invite_url).searchParams.get('token');
  const password = randomBytes(18).toString('base64url');
  await call(deps, null, { name: 'invitations.accept', body: { token, password } });
  return logIn(deps, { userId: invited.user_id, email, role, workspaceId });
}

async function connectTools(deps: Deps, clock: VirtualClock, caller: SeedCaller): Promise<Connected> {
  const connect = async (provider: string, credentials: object, config?: object) => {
    clock.pass(4 * MINUTE_MS);
    const body = {
      workspace_id: caller.access.workspaceId,
      provider,
      credentials,
      ...(config && { config }),
    };
    return (await call(deps, caller, { name: 'integrations.connect', body })).integration_id;
  };
  return {
    github: await connect('github', { token: `ghp_${TOKEN}` }),
    slack: await connect(
      'slack',
      { token: `xoxb-${TOKEN}`, signing_secret: randomBytes(16).toString('hex') },
      { channel: '#deploys' },
    ),
    linear: await connect('linear', { api_key: `lin_api_${TOKEN}` }),
    notion: await connect('notion', {
      token: `ntn_${TOKEN}`,
      verification_token: randomBytes(16).toString('hex'),
    }),
    custom: await connect('custom', {
      event_type_pointer: '/event',
      delivery_id_pointer: '/id',
      source: 'deploys',
      notify_url: `https://deploys.${DOMAIN}/notify`,
    }),
  };
}

async function addWebhooks(deps: Deps, clock: VirtualClock, caller: SeedCaller): Promise<void> {
  for (const { host, path, settings } of RECEIVERS) {
    clock.pass(25 * MINUTE_MS);
    const body = {
      ...settings,
      url: `https://${host}${path}`,
      workspace_id: caller.access.workspaceId,
      secret: `whsec_${randomBytes(24).toString('base64')}`,
    };
    await call(deps, caller, { name: 'webhooks.create', body });
  }
}

/** The keys of the workspace: one that will be revoked, and others that are in use. */
async function makeKeys(deps: Deps, clock: VirtualClock, mara: SeedCaller) {
  const params = { id: mara.access.workspaceId };
  const make = async (body: object) => {
    clock.pass(40 * MINUTE_MS);
    return (await call(deps, mara, { name: 'apiKeys.create', params, body })).id;
  };
  const expires = new Date(clock.ms + 110 * DAY_MS).toISOString();
  const old = await make({ name: 'Old deploy script', scopes: ['events:write'], role: 'member' });
  const deploys = await make({ name: 'Deploy pipeline', scopes: ['events:write'], role: 'member' });
  const warehouse = await make({
    name: 'Data warehouse export',
    scopes: ['events:read', 'webhooks:read'],
    role: 'viewer',
    expires_at: expires,
  });
  const audit = await make({ name: 'Audit export', scopes: ['audit_log:read'], role: 'admin' });
  const usedUntil = (now: Date) =>
    new Map([
      [deploys, now],
      [warehouse, new Date(now.getTime() - 3 * HOUR_MS)],
      [audit, new Date(now.getTime() - 4 * DAY_MS)],
      [old, new Date(now.getTime() - 33 * HOUR_MS)],
    ]);
  return { old, usedUntil };
}
