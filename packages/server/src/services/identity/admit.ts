import type { AccessRule } from '@hubline/contract';
import type { Deps } from '../../context.ts';
import { type Awaitable, andThen } from '../../db/core/awaitable.ts';
import type { Access, Actor } from '../../domain/identity/actor.ts';
import { type AccessHints, authorize, resolveAccess } from './access.ts';
import { authenticate, type Proof } from './authenticate.ts';

/** The caller of a request: `actor` is `null` for an anonymous one, `access` for no workspace. */
export interface Caller {
  actor: Actor | null;
  access: Access | null;
}

/** Authenticates a caller; `null` if the request needs and brings no credential. A bad key or session is always refused. */
export function identify(
  deps: Pick<Deps, 'store'>,
  { kind }: AccessRule,
  { proof, now }: { proof: Proof; now: Date },
): Awaitable<Actor | null> {
  if (kind === 'public') return null;
  const isNamed = proof.authorization !== undefined || proof.session !== undefined;
  return kind === 'optional' && !isNamed ? null : authenticate(deps, proof, now);
}

/**
 * Authenticates, finds the workspace and authorizes. A request takes these steps one by one, with its charge in between; after a slow
 * body, and on a stream, they are repeated together.
 */
export function admit(
  deps: Pick<Deps, 'store'>,
  rule: AccessRule,
  { proof, now, hints }: { proof: Proof; now: Date; hints: () => AccessHints },
): Awaitable<Caller> {
  return andThen(identify(deps, rule, { proof, now }), (actor) =>
    andThen(resolveAccess(deps, { rule, actor }, hints), (access) => {
      authorize(rule, actor, access);
      return { actor, access };
    }),
  );
}
