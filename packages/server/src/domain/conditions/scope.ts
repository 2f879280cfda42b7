import { boundedText } from '../json/bounded-value.ts';
import type { JsonPiece } from '../json/encoded.ts';
import { parseExact } from '../json/numbers/exact-number.ts';
import { WorkBudget } from './work-budget.ts';

/**
 * The values that conditions and templates may name, by their first word. Only own properties count. Numbers that a double would change
 * are of the class `ExactNumber`.
 */
export interface Scope {
  readonly values: Readonly<Record<string, unknown>>;
  /** The remaining work for conditions. One event may meet ten thousand of them. */
  readonly budget: WorkBudget;
}

/** An event, as far as conditions and templates see it. */
export interface EventFacts {
  id: string;
  type: string;
  source: string;
  provider: string | null;
  integrationId: string | null;
  workspaceId: string;
  /** JSON. */
  summary: string;
  payload: JsonPiece;
  /** ISO 8601. */
  occurredAt: string;
  createdAt: string;
}

/**
 * The scope of something that happened. Summary and payload are parsed when they are first needed; of a huge payload, only the first short
 * members.
 */
export function eventScope(trigger: string, event: EventFacts, budget = new WorkBudget()): Scope {
  let summary: unknown;
  let payload: unknown;
  return {
    values: {
      trigger,
      event: {
        id: event.id,
        type: event.type,
        source: event.source,
        provider: event.provider,
        integration_id: event.integrationId,
        workspace_id: event.workspaceId,
        occurred_at: event.occurredAt,
        created_at: event.createdAt,
        get summary() {
          return (summary ??= JSON.parse(event.summary));
        },
        get payload() {
          return (payload ??= parseExact(boundedText(String(event.payload))));
        },
      },
    },
    budget,
  };
}

/** The scope of a trigger without an event: `data` is the same that webhooks get. */
export const plainScope = (
  trigger: string,
  data: Readonly<Record<string, unknown>>,
  budget = new WorkBudget(),
): Scope => ({ values: { trigger, data }, budget });
