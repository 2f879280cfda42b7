import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointOutput, Role } from '@hubline/contract';
import { bootstrap } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../../src/testing/testing.ts';
import { Api } from './api.ts';
import { canRunApart, startBuiltFile } from './built-file.ts';
import { startTwo } from './round-robin.ts';

/** True when servers store in a file that a test can open; otherwise they store in PostgreSQL. */
export const onSqlite = process.env['HUBLINE_TEST_DATABASE_URL'] === undefined;

/** `HUBLINE_TEST_PROCESSES=2` runs every test of PostgreSQL against two servers on one database. */
export const inTwo = !onSqlite && process.env['HUBLINE_TEST_PROCESSES'] === '2';

/** `HUBLINE_TEST_BINARY=<file>` uses that file as the server, in every test whose server can run in its own process. */
const inFile = onSqlite && process.env['HUBLINE_TEST_BINARY'] !== undefined;

/** A workspace, and its owner's personal key. */
export interface TestWorkspace {
  server: TestServer;
  api: Api;
  workspaceId: string;
  userId: string;
}

// The disk is not under test: a commit that waits for it costs twenty times as much.
const FAST = { synchronous: 'NORMAL', rateLimit: 10_000_000 } as const;
/** The cost of a hash is not under test either. */
export const CHEAP = { passwordCost: { N: 16, r: 8, p: 1 } };

/** Starts a server with a workspace. Its rate limit is too high to matter unless a flag sets it. */
export async function startWorkspace(
  options: TestServerOptions = {},
): Promise<TestWorkspace & { stop(): Promise<void> }> {
  const all = { ...CHEAP, ...options, flags: { ...FAST, ...options.flags } };
  const server = await starterFor(all)(all);
  return {
    server,
    api: new Api(server.baseUrl, server.apiKey),
    workspaceId: server.workspaceId,
    userId: server.userId,
    stop: () => server.stop(),
  };
}

function starterFor(options: TestServerOptions): (options: TestServerOptions) => Promise<TestServer> {
  if (inTwo && options.flags?.tlsCert === undefined) return startTwo;
  return inFile && canRunApart(options) ? startBuiltFile : startTestServer;
}

/** Waits until every process knows about a change: a second if there are two. */
export const everybodyKnows = (): Promise<unknown> => (inTwo ? sleep(1_000) : Promise.resolve());

let counter = 0;

/** A unique name of letters, digits and hyphens. */
export function unique(prefix: string): string {
  counter += 1;
  return `${prefix}-${process.pid}-${counter}`;
}

/** Makes another workspace of the same owner. */
export async function newWorkspace(workspace: TestWorkspace): Promise<TestWorkspace> {
  const { id } = await workspace.api.call('workspaces.create', {
    body: { name: 'Other', slug: unique('other') },
  });
  return { ...workspace, workspaceId: id };
}

/** Makes a workspace of another user on the same server. */
export async function newStranger(workspace: TestWorkspace): Promise<TestWorkspace> {
  const email = `${unique('stranger')}@example.com`;
  // An invitation makes a user known to the server; it gives no access.
  await workspace.api.call('members.invite', { params: { id: workspace.workspaceId }, body: { email } });
  const { user_id, api_key } = await bootstrap(parseServerConfig(workspace.server.storage, {}), {
    email,
    newKey: true,
  });
  await workspace.api.call('members.remove', { params: { id: workspace.workspaceId, userId: user_id } });
  const api = workspace.api.as(api_key);
  const { id } = await api.call('workspaces.create', {
    body: { name: 'Stranger', slug: unique('stranger') },
  });
  return { server: workspace.server, api, workspaceId: id, userId: user_id };
}

type KeyOptions = {
  role?: Role | null;
  scopes?: readonly string[];
  expires_at?: string;
  name?: string;
};

/** Makes a workspace key of the caller. */
export function newKey(
  workspace: TestWorkspace,
  options: KeyOptions = {},
): Promise<EndpointOutput<'apiKeys.create'>> {
  return workspace.api.call('apiKeys.create', {
    params: { id: workspace.workspaceId },
    body: { name: 'key', ...options },
  });
}

/** Invites a user. Also returns the token of the link. */
export async function invite(workspace: TestWorkspace, role: Role, email = `${unique('user')}@example.com`) {
  const invited = await workspace.api.call('members.invite', {
    params: { id: workspace.workspaceId },
    body: { email, role },
  });
  return { ...invited, token: new URL(invited.invite_url).searchParams.get('token') ?? '' };
}

/** A member who has joined, with a workspace key and a personal key, both with every scope. */
export interface Joined extends TestWorkspace {
  email: string;
  role: Role;
  /** A workspace key without a cap. */
  own: Api;
  ownKeyId: string;
  /** A personal key. */
  personal: Api;
}

/** Makes a member with that role. Only managers make keys, so weaker members begin as admins. */
export async function join(workspace: TestWorkspace, role: Role): Promise<Joined> {
  const invited = await invite(workspace, role === 'owner' ? 'owner' : 'admin');
  await workspace.api.as(null).call('invitations.accept', { body: { token: invited.token } });
  const { api_key } = await bootstrap(parseServerConfig(workspace.server.storage, {}), {
    email: invited.email,
    newKey: true,
  });
  const personal = workspace.api.as(api_key);
  const member = { ...workspace, api: personal, userId: invited.user_id };
  const key = await newKey(member);
  if (role !== 'owner' && role !== 'admin') {
    await workspace.api.call('members.update', {
      params: { id: workspace.workspaceId, userId: invited.user_id },
      body: { role },
    });
    await everybodyKnows();
  }
  const own = workspace.api.as(key.key);
  return { ...member, email: invited.email, role, own, ownKeyId: key.id, personal };
}
