import {
  type AccessRule,
  type Endpoint,
  type EndpointName,
  endpoints,
  PERMISSIONS,
  type Role,
  ROLES,
  type Scope,
  SCOPES,
  type WorkspaceSource,
} from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadResponse, type Api, checkSuccess } from '../support/api.ts';
import {
  join,
  type Joined,
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
} from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { mentionsIds, type Prepare, replaceIds, uncheckedEnv, validCalls } from '../support/valid-calls.ts';

/** Rows that succeed only once in a workspace: they remove it, or the thing that they name. */
const CONSUMING: ReadonlySet<EndpointName> = new Set(['workspaces.delete', 'oauth.removeApp']);

/** Rows that name no resource: they are about the caller, or make something new. */
const NAMELESS: ReadonlySet<EndpointName> = new Set([
  'me.get',
  'personalApiKeys.list',
  'personalApiKeys.create',
  'workspaces.list',
  'workspaces.create',
  'integrations.listProviders',
  'providers.listPresets',
  'notifications.list',
  'notifications.unread',
  'notifications.stream',
  'notifications.readAll',
]);

/** Rows about something that belongs to one user: others find nothing, whatever their role. */
const PRIVATE: ReadonlySet<EndpointName> = new Set(['notifications.update']);

/** A caller, in the terms of the tables of permissions and scopes. */
interface Caller {
  label: string;
  /** `null` for no key. */
  key: { bound: boolean; role: Role; scopes: readonly string[] } | null;
  api: Api;
}

/** The status that the contract demands, from its tables alone. */
function expectedStatus(row: Endpoint, { key }: Caller): number {
  const { access } = row;
  if (access.kind === 'public' || access.kind === 'optional') return row.status;
  if (key === null) return 401;
  if (access.kind === 'user') {
    if (access.personal && key.bound) return 403;
    return access.scope === null || hasScope(key.scopes, access.scope) ? row.status : 403;
  }
  // "A personal key acts in every workspace where its user may manage keys."
  if (!key.bound && !has(PERMISSIONS.manage_api_keys, key.role)) return 403;
  const scopes = [access.scope, ...(access.also ? [access.also.scope] : [])];
  return scopes.every((scope) => hasScope(key.scopes, scope)) && has(PERMISSIONS[access.permission], key.role)
    ? row.status
    : 403;
}

const has = (roles: readonly Role[], role: Role) => roles.includes(role);
const hasScope = (scopes: readonly string[], scope: Scope) => scopes.includes('*') || scopes.includes(scope);

let workspace: TestWorkspace & { stop(): Promise<void> };
/** A workspace of another user. */
let stranger: TestWorkspace;
/** Another workspace of the same owner. */
let other: TestWorkspace;
let receiver: Receiver;
/** Prepares a successful call of each endpoint. */
let calls: Readonly<Record<EndpointName, Prepare>>;
let members: Joined[];

beforeAll(async () => {
  receiver = await startReceiver();
  calls = validCalls(receiver.url);
  workspace = await startWorkspace({ flags: { rateLimit: 10_000_000 }, env: uncheckedEnv(receiver.url) });
  stranger = await newStranger(workspace);
  other = await newWorkspace(workspace);
  members = [];
  for (const role of ROLES) members.push(await join(workspace, role));
});
afterAll(async () => {
  await workspace.stop();
  await receiver.stop();
});

const keys = new Map<string, string>();

/** A key with these powers, made once for each workspace: bound to it with a cap, or personal without one. */
async function keyFor(
  { api, workspaceId }: TestWorkspace,
  role: Role | null,
  scopes: readonly string[],
): Promise<string> {
  const id = JSON.stringify([workspaceId, role, scopes]);
  const made =
    keys.get(id) ??
    (role === null
      ? (await api.call('personalApiKeys.create', { body: { name: 'p', scopes } })).key
      : (await api.call('apiKeys.create', { params: { id: workspaceId }, body: { name: 'k', role, scopes } }))
          .key);
  keys.set(id, made);
  return made;
}

/**
 * Callers with each of four caps: with the right scope, with the second one if there is one, with every other scope,
 * and with all. Then real members, then no key.
 */
async function callersOf(workspace: TestWorkspace, { access }: Endpoint): Promise<Caller[]> {
  const needed = access.kind === 'public' ? null : access.scope;
  const others = SCOPES.filter((scope) => scope !== needed);
  const also = access.kind === 'workspace' ? access.also : undefined;
  const both = also && needed !== null ? [[needed, also.scope]] : [];
  const grants = needed === null ? [['*']] : [[needed], ...both, others, ['*']];
  const callers: Caller[] = [{ label: 'nobody', key: null, api: workspace.api.as(null) }];
  for (const role of ROLES) {
    for (const scopes of grants) {
      const key = await keyFor(workspace, role, scopes);
      const granted = scopes === others ? `everything but ${needed}` : scopes.join();
      callers.push({
        label: `a key of the owner capped to ${role} with ${granted}`,
        key: { bound: true, role, scopes },
        api: workspace.api.as(key),
      });
    }
  }
  for (const scopes of grants) {
    const key = await keyFor(workspace, null, scopes);
    const granted = scopes === others ? `everything but ${needed}` : scopes.join();
    callers.push({
      label: `a personal key of the owner with ${granted}`,
      key: { bound: false, role: 'owner', scopes },
      api: workspace.api.as(key),
    });
  }
  return callers;
}

const memberCallers = (access: AccessRule): Caller[] =>
  members.flatMap((member) => {
    const { role, own, personal } = member;
    const bound = {
      label: `the workspace key of a real ${role}`,
      key: { bound: true, role, scopes: ['*'] },
      api: own,
    };
    // For rows without a workspace, the power of a personal key does not depend on any role.
    if (access.kind !== 'workspace') return [bound];
    return [
      bound,
      {
        label: `the personal key of a real ${role}`,
        key: { bound: false, role, scopes: ['*'] },
        api: personal,
      },
    ];
  });

const names = Object.keys(endpoints) as EndpointName[];

describe.each(names)('%s', (name) => {
  const row: Endpoint = endpoints[name];
  const prepare: Prepare = (workspace) => calls[name](workspace);

  it('lets in the callers whose roles and scopes allow it, and nobody else', async () => {
    const found: string[] = [];
    const wanted: string[] = [];
    const consuming = CONSUMING.has(name);
    // A refusal changes nothing, so one valid input serves all of them.
    const input = await prepare(workspace);
    const others = memberCallers(row.access);
    const callers = [...(await callersOf(workspace, row)), ...others];
    for (const caller of callers) {
      const isOther = PRIVATE.has(name) && others.includes(caller);
      const status = isOther ? 404 : expectedStatus(row, caller);
      const succeeds = status === row.status;
      // A row that deletes its workspace gets a separate workspace, without the real members.
      if (succeeds && consuming) continue;
      const response = await caller.api.send(name, succeeds ? await prepare(workspace) : input);
      wanted.push(`${caller.label}: ${status}`);
      found.push(`${caller.label}: ${response.status}`);
      if (response.status === row.status) checkSuccess(name, response);
    }
    expect(found).toEqual(wanted);
    // The refusals changed nothing: the owner still finds everything that they named.
    if (!consuming) checkSuccess(name, await workspace.api.send(name, input));
  });

  if (CONSUMING.has(name)) {
    it('succeeds for the callers whose roles and scopes allow it', async () => {
      const callers = (await callersOf(other, row)).filter(
        (caller) => expectedStatus(row, caller) === row.status,
      );
      expect(callers.length).toBeGreaterThan(1);
      for (const [index] of callers.entries()) {
        const fresh = await newWorkspace(workspace);
        const caller = (await callersOf(fresh, row)).filter(
          (caller) => expectedStatus(row, caller) === row.status,
        )[index];
        checkSuccess(name, await (caller as Caller).api.send(name, await prepare(fresh)));
      }
    });
  }

  if (row.access.kind !== 'public' && row.access.kind !== 'optional') {
    it('answers 404 for a resource of a foreign workspace, exactly as for one that does not exist', async () => {
      const owner = CONSUMING.has(name) ? await newStranger(workspace) : stranger;
      const input = await prepare(owner);
      expect(mentionsIds(input)).toBe(!NAMELESS.has(name));
      if (NAMELESS.has(name)) return;
      const unknown = replaceIds(input);
      const { key: capped } = await newKey(workspace, { role: 'viewer', scopes: ['events:read'] });
      const callers = [workspace.api, workspace.api.as((await newKey(workspace)).key)];
      // A workspace key may not manage personal keys, no matter whose.
      if (row.access.kind === 'workspace') callers.push(workspace.api.as(capped));
      else callers.pop();
      for (const api of callers) {
        const foreign = await api.send(name, input);
        const absent = await api.send(name, unknown);
        expect(foreign.status, foreign.text).toBe(404);
        expect(withoutRequest(foreign)).toEqual(withoutRequest(absent));
      }
      // The refusals changed nothing.
      checkSuccess(name, await owner.api.send(name, input));
    });
  }

  if (row.access.kind === 'workspace') {
    it('answers 404 to a key that is bound to another workspace of the same owner', async () => {
      const sibling = CONSUMING.has(name) ? await newWorkspace(workspace) : other;
      const input = await prepare(sibling);
      const bound = workspace.api.as(await keyFor(workspace, 'owner', ['*']));
      const foreign = await bound.send(name, input);
      expect(foreign.status, foreign.text).toBe(404);
      expect(withoutRequest(foreign)).toEqual(withoutRequest(await bound.send(name, replaceIds(input))));
      checkSuccess(name, await sibling.api.send(name, input));
    });
  }

  if (row.access.kind === 'workspace' && row.access.from.in === 'resource') {
    // The separation of workspaces must not depend on one word of the table. With another word, a request is about the
    // workspace of its key, whatever workspace its path names.
    it('finds nothing of another workspace, even if the table named the wrong one', async () => {
      const { access } = row as { access: { from: WorkspaceSource } };
      const { from } = access;
      const [input, ownInput] = [await prepare(other), await prepare(workspace)];
      const bound = workspace.api.as(await keyFor(workspace, 'owner', ['*']));
      access.from = { in: 'query' };
      try {
        const own = await bound.send(name, ownInput);
        expect(own.status, own.text).toBe(row.status);
        const foreign = await bound.send(name, input);
        expect(foreign.status === 404 || isEmptyPage(foreign), foreign.text).toBe(true);
      } finally {
        access.from = from;
      }
      checkSuccess(name, await other.api.send(name, input));
    });
  }

  if (row.path.includes('{id}/') && /\{(?!id\}|provider\})/.test(row.path)) {
    it("answers 404 for a foreign ID below one's own workspace", async () => {
      const input = await prepare(stranger);
      const crossed = { ...input, params: { ...input.params, id: workspace.workspaceId } };
      const own = await workspace.api.send(name, crossed);
      const absent = await workspace.api.send(name, {
        ...crossed,
        params: { ...replaceIds({ params: crossed.params }).params, id: workspace.workspaceId },
      });
      expect(own.status, own.text).toBe(404);
      expect(withoutRequest(own)).toEqual(withoutRequest(absent));
      checkSuccess(name, await stranger.api.send(name, input));
    });
  }

  if (row.path.includes('{')) {
    it('answers 404 for malformed IDs', async () => {
      const { params = {}, ...rest } = await prepare(workspace);
      for (const malformed of ['nonsense', 'a:b', '%00', ' ', '👾', `${Object.values(params)[0]}x`]) {
        const spoiled = Object.fromEntries(Object.keys(params).map((name) => [name, malformed]));
        const { status, text } = await workspace.api.send(name, { ...rest, params: spoiled });
        expect(status, `${malformed} ${text}`).toBe(404);
      }
      for (const [param, id] of Object.entries(params)) {
        const prefix = /^[a-z]+_(?=\w{26}$)/.exec(id)?.[0];
        if (prefix === undefined) continue;
        const [malformed, unknown] = await Promise.all(
          ['abc', `${prefix}${'0'.repeat(26)}`].map((other) =>
            workspace.api.send(name, { ...rest, params: { ...params, [param]: other } }),
          ),
        );
        expect(malformed?.text).toContain(`Check the ID (${prefix} and 26 characters`);
        // A nested resource is not found if the resource around it is unknown.
        if (param === row.path.match(/\w+(?=\}[^{]*$)/)?.[0])
          expect(malformed && withoutRequest(malformed)).toBe(unknown && withoutRequest(unknown));
      }
      // IDs are case-sensitive.
      const upper = Object.fromEntries(Object.entries(params).map(([name, id]) => [name, id.toUpperCase()]));
      expect((await workspace.api.send(name, { ...rest, params: upper })).status).toBe(404);
    });
  }
});

const isEmptyPage = ({ json }: ReadResponse) => (json as { data?: unknown[] }).data?.length === 0;

function withoutRequest({ status, text, json }: ReadResponse): string {
  const { error } = json as { error: { request_id: string } };
  return `${status} ${text.replaceAll(error.request_id, '')}`;
}
