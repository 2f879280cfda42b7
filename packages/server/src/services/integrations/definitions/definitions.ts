import { type EndpointInput, LIMITS, type ProviderDefinition } from '@hubline/contract';
import type { z } from 'zod';
import type { UserContext, WorkspaceContext } from '../../../context.ts';
import type { Db } from '../../../db/core/schema.ts';
import { listIntegrationsOf } from '../../../db/integrations/integrations.ts';
import {
  deleteProviderDefinition,
  findProviderDefinition,
  insertProviderDefinition,
  listProviderDefinitions,
  type ProviderDefinitionRow,
  updateProviderDefinition,
} from '../../../db/integrations/provider-definitions.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { Fault, invalidFields, notFound, unprocessable } from '../../../domain/faults/fault.ts';
import { describeMethods, optionalCredentials, requiredCredentials } from '../../../providers/credentials.ts';
import { definedProvider } from '../../../providers/defined/defined.ts';
import type { Definition } from '../../../providers/defined/definition.ts';
import { verificationFaults } from '../../../providers/defined/faults.ts';
import { presets } from '../../../providers/presets/presets.ts';
import { audit } from '../../audit-log.ts';
import { inMemory, page } from '../../page.ts';
import { definitionOf } from '../provider-of.ts';

export async function listPresets(context: UserContext, { query }: EndpointInput<'providers.listPresets'>) {
  return page(context, query, {
    ...inMemory([...presets], ([key]) => key),
    item: ([preset, { definition, sample }]) => ({
      preset,
      definition,
      sample: { headers: sample.headers, body: JSON.stringify(sample.payload) },
    }),
  });
}

// The longest definition that the schema admits is far below a body of 1 MiB.
const ROW_BYTES = 64 * 1024;

export async function list(context: WorkspaceContext, { query }: EndpointInput<'providers.list'>) {
  return page(context, query, {
    rows: (request) => listProviderDefinitions(context.store.read, context.access.workspaceId, request),
    position: (row) => row.id,
    item: shown,
    rowBytes: ROW_BYTES,
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'providers.get'>) {
  return shown(await findOwnDefinition(context.store.read, context, params.providerId));
}

/** Reserved keys: sources of events without a provider, and names that every JavaScript object has. */
const RESERVED: ReadonlySet<string> = new Set(['api', 'automation', 'hubline', 'constructor', 'prototype']);

export async function create(context: WorkspaceContext, { body }: EndpointInput<'providers.create'>) {
  const isBuiltIn = context.providers.has(body.provider);
  if (isBuiltIn || RESERVED.has(body.provider))
    throw unprocessable(
      'provider',
      `is ${isBuiltIn ? 'built in' : 'reserved'}; choose another key, such as my-${body.provider}`,
    );
  checkRules(body);
  const { workspaceId } = context.access;
  return context.write(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireRoom(tx, workspaceId, body.provider);
    const now = context.now.toISOString();
    const row: ProviderDefinitionRow = {
      id: context.ids('provider'),
      workspace_id: workspaceId,
      provider: body.provider,
      definition: JSON.stringify(body),
      created_at: now,
      updated_at: now,
    };
    await insertProviderDefinition(tx, row);
    await audit(tx, context, { workspaceId, action: 'provider.defined', target: targetOf(row) });
    return shown(row);
  });
}

/** Refuses a key that is taken, and one definition too many. The workspace is locked. */
async function requireRoom(db: Db, workspaceId: string, key: string): Promise<void> {
  const page = { after: null, limit: LIMITS.providersMax };
  const defined = await listProviderDefinitions(db, workspaceId, page);
  const taken = defined.find(({ provider }) => provider === key);
  if (taken) {
    const issue = `is the key of ${taken.id}; change that definition, or choose another key`;
    throw new Fault('conflict', `provider ${issue}.`, { details: [{ field: 'provider', issue }] });
  }
  if (defined.length >= LIMITS.providersMax)
    throw unprocessable(
      'id',
      `names a workspace with ${LIMITS.providersMax} provider definitions; delete one first`,
    );
}

export async function update(context: WorkspaceContext, { params, body }: EndpointInput<'providers.update'>) {
  const { workspaceId } = context.access;
  return context.write(async (tx) => {
    // Two changes at the same time must not start from the same state.
    await lockWorkspace(tx, workspaceId);
    const row = await findOwnDefinition(tx, context, params.providerId);
    const before = definitionOf(row);
    const after = merged(before, body);
    checkRules(after);
    const changed = {
      ...row,
      definition: JSON.stringify(after),
      updated_at: context.now.toISOString(),
    };
    await updateProviderDefinition(tx, changed);
    await audit(tx, context, {
      workspaceId,
      action: 'provider.updated',
      target: targetOf(changed),
      changes: (Object.keys(body) as (keyof typeof body)[]).map((field) => ({
        field,
        from: before[field] ?? null,
        to: after[field] ?? null,
      })),
    });
    return shown(changed);
  });
}

/** A definition with the given fields in place of its own; those that are `null` are removed. */
function merged(before: Definition, changes: EndpointInput<'providers.update'>['body']): Definition {
  const fields = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as Definition;
}

// The most integrations that a refusal names; the list of integrations shows the rest.
const NAMED = 5;

export async function remove(
  context: WorkspaceContext,
  { params }: EndpointInput<'providers.delete'>,
): Promise<void> {
  const { workspaceId } = context.access;
  await context.write(async (tx) => {
    // A request that connects an integration checks the definition under the same lock.
    await lockWorkspace(tx, workspaceId);
    const row = await findOwnDefinition(tx, context, params.providerId);
    const users = await listIntegrationsOf(tx, row, NAMED + 1);
    if (users.length > 0) throw inUse(users.map(({ id }) => id));
    await deleteProviderDefinition(tx, row);
    await audit(tx, context, { workspaceId, action: 'provider.deleted', target: targetOf(row) });
  });
}

function inUse(ids: readonly string[]): Fault {
  const names = `${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ' and others' : ''}`;
  const used = ids.length > 1 ? 'those integrations' : 'that integration';
  const issue = `is used by ${names}; disconnect ${used} first`;
  return new Fault('conflict', `providerId ${issue}.`, { details: [{ field: 'providerId', issue }] });
}

/** Throws the errors of a definition that the schema does not find. */
export function checkRules({ verification }: Pick<Definition, 'verification'>, prefix = ''): void {
  const faults = verificationFaults(verification);
  const [first, ...others] = faults.map(({ field, issue }) => ({ field: `${prefix}${field}`, issue }));
  if (first) throw invalidFields([first, ...others]);
}

/** A definition of the workspace of the request. */
async function findOwnDefinition(
  db: Db,
  { access }: WorkspaceContext,
  id: string,
): Promise<ProviderDefinitionRow> {
  const row = await findProviderDefinition(db, access.workspaceId, { id });
  if (!row) throw notFound('provider');
  return row;
}

const targetOf = (row: ProviderDefinitionRow) => ({ type: 'provider', id: row.id, name: row.provider });

function shown(row: ProviderDefinitionRow): z.output<typeof ProviderDefinition> {
  const definition = definitionOf(row);
  const provider = definedProvider(definition);
  return {
    ...definition,
    provider_id: row.id,
    workspace_id: row.workspace_id,
    description: provider.description,
    required_credentials: requiredCredentials(provider),
    optional_credentials: optionalCredentials(provider),
    oauth: false,
    sync: false,
    methods: describeMethods(provider),
    actions: [],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
