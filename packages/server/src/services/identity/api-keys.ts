import { hash, randomBytes } from 'node:crypto';
import type { ApiKey, EndpointInput, Role } from '@hubline/contract';
import type { z } from 'zod';
import type { UserContext, WorkspaceContext } from '../../context.ts';
import {
  type ApiKeyRow,
  findPersonalApiKey,
  findWorkspaceApiKey,
  insertApiKey,
  listPersonalApiKeys,
  listWorkspaceApiKeys,
  updateApiKey,
} from '../../db/identity/api-keys.ts';
import { findRole } from '../../db/identity/members.ts';
import type { Tx } from '../../db/core/schema.ts';
import { API_KEY_RANDOM_BYTES, apiKeyPrefix, formatApiKey } from '../../domain/identity/api-key.ts';
import { actingRole, type Actor, endOf } from '../../domain/identity/actor.ts';
import { notFound, unprocessable } from '../../domain/faults/fault.ts';
import { existingRole, requireCovered, requireNotAbove, requireNotLonger } from './access.ts';
import { recheckStreams as recheckAllStreams } from './accounts.ts';
import { audit } from '../audit-log.ts';
import { requireLiveAccess, requireLiveCredential } from './live-credential.ts';
import { overlapUntil } from '../overlap.ts';
import { page } from '../page.ts';

/** The stored form of a key. The key has 178 random bits, so a slow hash would add nothing. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** A key as the API shows it. */
export function toApiKey(row: ApiKeyRow, now: Date): z.output<typeof ApiKey> {
  const expired = row.expires_at !== null && row.expires_at <= now.toISOString();
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    prefix: row.prefix,
    role: row.role,
    scopes: JSON.parse(row.scopes),
    status: row.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active',
    created_by: row.user_id,
    created_at: row.created_at,
    last_used_at: row.last_used_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
  };
}

/** The parts of a new key. */
export interface NewApiKey {
  userId: string;
  workspaceId: string | null;
  name: string;
  scopes: readonly string[];
  role: Role | null;
  expiresAt: string | null;
}

/** Makes and stores a key. Only its result has the key itself. */
export async function insertNewApiKey(tx: Tx, context: Pick<UserContext, 'ids' | 'now'>, key: NewApiKey) {
  const secret = formatApiKey(randomBytes(API_KEY_RANDOM_BYTES));
  const row: ApiKeyRow = {
    id: context.ids('apiKey'),
    user_id: key.userId,
    workspace_id: key.workspaceId,
    name: key.name,
    prefix: apiKeyPrefix(secret),
    hash: hashApiKey(secret),
    previous_hash: null,
    previous_until: null,
    scopes: JSON.stringify(key.scopes),
    role: key.role,
    created_at: context.now.toISOString(),
    expires_at: key.expiresAt,
    revoked_at: null,
    last_used_at: null,
  };
  await insertApiKey(tx, row);
  return { row, secret };
}

export async function list(context: WorkspaceContext, { query }: EndpointInput<'apiKeys.list'>) {
  return page(context, query, {
    rows: (request) => listWorkspaceApiKeys(context.store.read, context.access.workspaceId, request),
    position: (row) => row.id,
    item: (row) => toApiKey(row, context.now),
  });
}

export async function create(context: WorkspaceContext, { body }: EndpointInput<'apiKeys.create'>) {
  const { actor, access, now } = context;
  const scopes = body.scopes ?? actor.credential.scopes;
  const role = capOf(body) ?? actor.credential.role;
  refuseMorePower(context, { scopes, role: role ?? access.role });
  const expiresAt = expiryOf(actor, body.expires_at, now);
  return context.write(async (tx) => {
    await requireLiveAccess(tx, context, 'manage_api_keys');
    const { row, secret } = await insertNewApiKey(tx, context, {
      userId: actor.userId,
      workspaceId: access.workspaceId,
      name: body.name,
      scopes,
      role,
      expiresAt,
    });
    await audit(tx, context, {
      workspaceId: access.workspaceId,
      action: 'api_key.created',
      target: { type: 'api_key', id: row.id, name: row.name },
      metadata: { scopes, role },
    });
    return { ...toApiKey(row, now), key: secret };
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'apiKeys.get'>) {
  const row = await findWorkspaceApiKey(context.store.read, context.access.workspaceId, params.keyId);
  return toApiKey(found(row), context.now);
}

export async function update(context: WorkspaceContext, { params, body }: EndpointInput<'apiKeys.update'>) {
  return context.write(async (tx) => {
    const before = await findManageable(tx, context, params.keyId);
    const scopes = body.scopes ?? (JSON.parse(before.scopes) as string[]);
    const cap = capOf(body);
    const role = cap === undefined ? before.role : cap;
    const maker = await findRole(tx, context.access.workspaceId, before.user_id);
    refuseMorePower(context, { scopes, role: role ?? maker ?? 'viewer' });
    const changes = { name: body.name ?? before.name, scopes: JSON.stringify(scopes), role };
    const after = found(await updateApiKey(tx, before, changes));
    await audit(tx, context, {
      workspaceId: context.access.workspaceId,
      action: 'api_key.updated',
      target: { type: 'api_key', id: after.id, name: after.name },
      changes: [
        { field: 'name', from: before.name, to: after.name },
        { field: 'scopes', from: JSON.parse(before.scopes), to: scopes },
        { field: 'role', from: before.role, to: after.role },
      ].filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to)),
    });
    recheckStreams(context, after);
    return toApiKey(after, context.now);
  });
}

export async function revoke(context: WorkspaceContext, { params }: EndpointInput<'apiKeys.revoke'>) {
  await context.write(async (tx) => {
    const row = found(await findWorkspaceApiKey(tx, context.access.workspaceId, params.keyId));
    if (row.revoked_at !== null) return;
    found(await updateApiKey(tx, row, { revoked_at: context.now.toISOString() }));
    await audit(tx, context, {
      workspaceId: context.access.workspaceId,
      action: 'api_key.revoked',
      target: { type: 'api_key', id: row.id, name: row.name },
    });
    recheckStreams(context, row);
  });
}

export async function rotate(context: WorkspaceContext, { params, body }: EndpointInput<'apiKeys.rotate'>) {
  const secret = formatApiKey(randomBytes(API_KEY_RANDOM_BYTES));
  return context.write(async (tx) => {
    const before = await findManageable(tx, context, params.keyId);
    const until = overlapUntil(before, body.overlap_seconds, context.now);
    const changes = {
      prefix: apiKeyPrefix(secret),
      hash: hashApiKey(secret),
      previous_hash: until === null ? null : before.hash,
      previous_until: until,
    };
    const after = found(await updateApiKey(tx, before, changes));
    await audit(tx, context, {
      workspaceId: context.access.workspaceId,
      action: 'api_key.rotated',
      target: { type: 'api_key', id: after.id, name: after.name },
      metadata: { overlap_seconds: body.overlap_seconds },
    });
    recheckStreams(context, after);
    return { ...toApiKey(after, context.now), key: secret };
  });
}

export async function listPersonal(context: UserContext, { query }: EndpointInput<'personalApiKeys.list'>) {
  return page(context, query, {
    rows: (request) => listPersonalApiKeys(context.store.read, context.actor.userId, request),
    position: (row) => row.id,
    item: (row) => toApiKey(row, context.now),
  });
}

export async function createPersonal(
  context: UserContext,
  { body }: EndpointInput<'personalApiKeys.create'>,
) {
  const { actor, now } = context;
  const scopes = body.scopes ?? actor.credential.scopes;
  requireCovered(actor, scopes);
  const expiresAt = expiryOf(actor, body.expires_at, now);
  return context.write(async (tx) => {
    await requireLiveCredential(tx, context);
    const { row, secret } = await insertNewApiKey(tx, context, {
      userId: actor.userId,
      workspaceId: null,
      name: body.name,
      scopes,
      role: null,
      expiresAt,
    });
    return { ...toApiKey(row, now), key: secret };
  });
}

export async function revokePersonal(
  context: UserContext,
  { params }: EndpointInput<'personalApiKeys.revoke'>,
) {
  await context.write(async (tx) => {
    const row = found(await findPersonalApiKey(tx, context.actor.userId, params.keyId));
    if (row.revoked_at !== null) return;
    found(await updateApiKey(tx, row, { revoked_at: context.now.toISOString() }));
    await recheckAllStreams(tx, context, context.actor.userId);
  });
}

/** Wakes open streams, which then check their key: those that may no longer read end now, not at the next event. */
function recheckStreams({ afterCommit, announce, access }: WorkspaceContext, key: ApiKeyRow): void {
  afterCommit('recheck the streams of a key', () => {
    announce(access.workspaceId);
    announce(key.user_id);
  });
}

/**
 * Finds a key that the caller may change. One that is stronger or lasts longer is refused: its new secret or scopes would raise
 * the caller's rights, or extend them.
 */
async function findManageable(tx: Tx, context: WorkspaceContext, id: string): Promise<ApiKeyRow> {
  await requireLiveAccess(tx, context, 'manage_api_keys');
  const row = found(await findWorkspaceApiKey(tx, context.access.workspaceId, id));
  if (row.revoked_at !== null) throw unprocessable('keyId', 'names a revoked key; create a new one');
  const maker = (await findRole(tx, context.access.workspaceId, row.user_id)) ?? 'viewer';
  const role = actingRole(row, maker);
  refuseMorePower(context, { scopes: JSON.parse(row.scopes) as string[], role });
  requireNotLonger(context.actor, row.expires_at);
  return row;
}

function refuseMorePower(
  { actor, access }: WorkspaceContext,
  wanted: { scopes: readonly string[]; role: Role },
): void {
  requireCovered(actor, wanted.scopes);
  requireNotAbove(access, wanted.role);
}

function capOf({ role }: { role?: string | null | undefined }): Role | null | undefined {
  return typeof role === 'string' ? existingRole(role) : role;
}

/** The expiry of a new key: by default that of the key which makes it. */
function expiryOf(actor: Actor, wanted: string | null | undefined, now: Date): string | null {
  if (wanted === undefined) return endOf(actor.credential);
  if (wanted !== null && wanted <= now.toISOString())
    throw unprocessable('expires_at', 'must be in the future');
  requireNotLonger(actor, wanted);
  return wanted;
}

function found(row: ApiKeyRow | undefined): ApiKeyRow {
  if (!row) throw notFound('API key');
  return row;
}
