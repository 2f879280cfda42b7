import { type Awaitable, andThen } from '../../../db/core/awaitable.ts';
import type { Tx } from '../../../db/core/schema.ts';
import type { Scope } from '../../../domain/conditions/scope.ts';
import { enqueueFairly } from '../../../jobs/enqueue.ts';
import type { RuleOccurrence } from '../../../domain/notifications/rule.ts';
import { matchRules } from './match-rules.ts';
import { rulesFor } from './rules-of.ts';

/**
 * Applies the notification rules of a workspace to an occurrence, in its transaction. If a rule may match, a job is
 * stored that does the rest: an event that no rule matches costs one lookup in an index.
 */
export function notify(
  tx: Tx,
  context: Parameters<typeof enqueueFairly>[1],
  { scope, ...occurrence }: RuleOccurrence & { scope: () => Scope },
): Awaitable<void> {
  return andThen(
    rulesFor(tx, occurrence, () => scope().values),
    (rules) => {
      if (rules.length === 0) return;
      const job = {
        kind: matchRules,
        key: occurrence.id,
        payload: occurrence,
        workspaceId: occurrence.workspaceId,
      };
      return andThen(enqueueFairly(tx, context, job), () => undefined);
    },
  );
}
