import type { EndpointInput, ProviderPreview } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../../context.ts';
import { findProviderDefinition } from '../../../db/integrations/provider-definitions.ts';
import { invalid, notFound } from '../../../domain/faults/fault.ts';
import { definedProvider } from '../../../providers/defined/defined.ts';
import { type Definition, proofName } from '../../../providers/defined/definition.ts';
import type { IngestRequest, Provider, Received } from '../../../providers/provider.ts';
import { definitionOf } from '../provider-of.ts';
import { checkRules } from './definitions.ts';

type Request = EndpointInput<'providers.preview'>['body'];
type Preview = z.output<typeof ProviderPreview>;

/** Shows the event that a definition would make of a call. Nothing is stored. */
export async function preview(
  context: WorkspaceContext,
  { body }: EndpointInput<'providers.preview'>,
): Promise<Preview> {
  const definition = await chosen(context, body);
  const provider = definedProvider(definition);
  const call: IngestRequest = {
    headers: declared(provider, body.headers ?? { 'content-type': 'application/json' }),
    query: body.query ?? {},
    body: Buffer.from(body.body),
    now: context.now,
  };
  return {
    verification: verdictOn(definition, provider, { call, secret: body.secret }),
    ...shown(provider.receive(call, {})),
  };
}

async function chosen(context: WorkspaceContext, body: Request): Promise<Definition> {
  const { definition, provider_id: id } = body;
  if (id !== undefined && definition !== undefined)
    throw invalid('definition', 'must be left out, because provider_id names a stored one');
  if (id !== undefined) {
    const row = await findProviderDefinition(context.store.read, context.access.workspaceId, { id });
    if (!row) throw notFound('provider', 'provider_id');
    return definitionOf(row);
  }
  if (definition === undefined) throw invalid('definition', 'is required, or provider_id of a stored one');
  checkRules(definition, 'definition.');
  return definition;
}

/** The headers that are read, by names in lower case. */
function declared(provider: Provider, given: Readonly<Record<string, string>>): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (headers.has(lower)) throw invalid(`headers.${name}`, 'must be given once, whatever its case');
    headers.set(lower, value);
  }
  const names = new Set(provider.headers({}));
  return Object.fromEntries([...headers].filter(([name]) => names.has(name)));
}

function verdictOn(
  { verification }: Definition,
  provider: Provider,
  { call, secret }: { call: IngestRequest; secret: string | undefined },
): Preview['verification'] {
  if (secret === undefined && verification.kind !== 'none')
    return { result: 'unchecked', reason: 'give the secret to verify the call' };
  const credentials = secret === undefined ? {} : { [proofName(verification)]: secret };
  const verdict = provider.verify(call, credentials);
  return verdict.ok ? { result: 'verified', reason: null } : { result: 'refused', reason: verdict.reason };
}

function shown(received: Received): Omit<Preview, 'verification'> {
  const nothing = { reason: null, event: null, answer: null };
  switch (received.kind) {
    case 'event': {
      const { type, source, summary, dedupeKey } = received;
      return { ...nothing, outcome: 'event', event: { type, source, summary, dedupe_key: dedupeKey } };
    }
    case 'malformed':
      return { ...nothing, outcome: 'malformed', reason: `the body ${received.issue}` };
    case 'handshake':
      return {
        ...nothing,
        outcome: 'handshake',
        reason: received.reason,
        answer: received.response.body?.text ?? '',
      };
    default:
      return { ...nothing, outcome: 'ping', reason: received.reason };
  }
}
