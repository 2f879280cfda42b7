import { memberText } from '../json/json.ts';

/** The values that conditions and templates may name, by their first word. Only own properties count. */
export interface Scope {
  readonly values: Readonly<Record<string, unknown>>;
  /** The source text of a number at a path, where parsing may have rounded it; `undefined` where there is none. */
  exactNumber?(path: readonly (string | number)[]): string | undefined;
  /** Characters that patterns may still read. One event may meet ten thousand conditions. */
  readonly budget: { characters: number };
}

// About 50 ms of the slowest patterns. A usual text has 100 characters.
const PATTERN_CHARACTERS = 1_000_000;

/** An event, as far as conditions and templates see it. */
export interface EventFacts {
  id: string;
  type: string;
  source: string;
  provider: string | null;
  integrationId: string | null;
  workspaceId: string;
  /** JSON texts. */
  summary: string;
  payload: string;
  /** ISO 8601. */
  occurredAt: string;
  createdAt: string;
}

/** The scope of something that happened. Summary and payload are parsed when something first asks for them. */
export function eventScope(trigger: string, event: EventFacts): Scope {
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
          return (payload ??= JSON.parse(event.payload));
        },
      },
    },
    exactNumber: (path) =>
      path[0] === 'event' && path[1] === 'payload' ? memberText(event.payload, path.slice(2)) : undefined,
    budget: { characters: PATTERN_CHARACTERS },
  };
}

/** The scope of a trigger without an event: `data` is what webhooks get of it. */
export const plainScope = (trigger: string, data: Readonly<Record<string, unknown>>): Scope => ({
  values: { trigger, data },
  budget: { characters: PATTERN_CHARACTERS },
});
