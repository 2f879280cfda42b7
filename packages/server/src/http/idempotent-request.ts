import type { Endpoint } from '@hubline/contract';
import type { Actor } from '../domain/identity/actor.ts';
import { Fault } from '../domain/faults/fault.ts';
import { hashToken } from '../secrets/token.ts';
import { hasScope } from '../services/identity/access.ts';
import { idempotencyId, type IdempotentRequest } from '../services/idempotency.ts';
import { statusOf } from './response/http-fault.ts';
import type { HandledRequest, HttpDeps } from './handled-request.ts';
import { idempotencyKeyOf } from './request/idempotency-key.ts';
import type { JsonBody } from './request/json-body.ts';

/** The parts of the request that idempotency needs; `null` without an `Idempotency-Key`. */
export function idempotentOf(
  deps: HttpDeps,
  { incoming, meta }: HandledRequest,
  { row, actor, json }: { row: Endpoint; actor: Actor | null; json?: JsonBody },
): IdempotentRequest | null {
  const key = idempotencyKeyOf(incoming);
  const scope = actor ? scopeOf(actor) : scopeOfProof(row, json?.value);
  if (key === undefined || scope === null) return null;
  return {
    id: idempotencyId(scope, key),
    fingerprint: deps.idempotency.fingerprint(incoming, powerOf(actor, row) + (json?.text ?? '')),
    status: row.status,
    statusOf,
    secret: row.secret !== undefined,
    known: actor !== null,
    now: meta.now,
  };
}

/** Names the user as well as the workspace: nobody can fetch the response, or the secret, of a colleague's request. */
const scopeOf = ({ userId, credential }: Actor) => `${userId} ${credential.workspaceId ?? 'personal'}`;

/**
 * The power of the caller, if the response shows a secret; otherwise empty. A weaker key of the same user, with the same request, could get the
 * secret of a key that it may not make.
 */
function powerOf(actor: Actor | null, { secret }: Endpoint): string {
  if (actor === null || secret === undefined) return '';
  const { role, scopes, expiresAt } = actor.credential;
  return `${role} ${scopes.join()}${expiresAt === null ? '' : ` ${expiresAt}`}\n`;
}

/** The scope of a request without a key or session: the proof in its body. */
function scopeOfProof({ access }: Endpoint, body: unknown): string | null {
  if (access.kind !== 'optional' || typeof body !== 'object' || body === null) return null;
  const proof = (body as Record<string, unknown>)[access.proof];
  return typeof proof === 'string' ? `${access.proof} ${hashToken(proof)}` : null;
}

/**
 * Reports whether a deletion finds nothing because this same request has already deleted it. A deleted resource has no
 * workspace to check a role in; its stored outcome reveals nothing else.
 */
export async function isRepeatedDeletion(
  deps: HttpDeps,
  { handled, row, actor, error }: { handled: HandledRequest; row: Endpoint; actor: Actor; error: unknown },
): Promise<boolean> {
  if (row.status !== 204 || row.access.kind !== 'workspace') return false;
  if (!(error instanceof Fault) || error.code !== 'not_found') return false;
  if (!hasScope(actor, row.access.scope)) return false;
  const request = idempotentOf(deps, handled, { row, actor });
  return request !== null && (await deps.idempotency.find(request)) !== undefined;
}
