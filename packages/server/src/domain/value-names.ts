import { unknownName } from './faults/unknown-name.ts';

/** The names in a value that conditions and templates may use. `null`: there may be any name below. */
export interface ValueNames {
  readonly [name: string]: ValueNames | null;
}

const ENTITY = { kind: null, id: null, name: null, url: null };

const OCCURRENCE = {
  event: {
    id: null,
    type: null,
    source: null,
    provider: null,
    integration_id: null,
    workspace_id: null,
    occurred_at: null,
    created_at: null,
    summary: {
      action: null,
      actor: { id: null, name: null },
      subject: ENTITY,
      container: ENTITY,
      text: null,
      severity: null,
      occurred_at: null,
    },
    payload: null,
  },
  trigger: null,
  data: null,
} satisfies ValueNames;

/** The values of an event: for conditions, and for the concurrency key of an automation. */
export const OCCURRENCE_NAMES: ValueNames = OCCURRENCE;

const STEPS = {
  ...OCCURRENCE,
  automation: { id: null, name: null },
  run: { id: null, trigger: null, created_at: null },
} satisfies ValueNames;
const STEP = { status: null, output: null, error: null };

/** The values of a step: the event, and the steps before it. */
export const stepNames = (earlier: readonly string[]): ValueNames => ({
  ...STEPS,
  steps: Object.fromEntries(earlier.map((id) => [id, STEP])),
});

const RULE = {
  ...OCCURRENCE,
  workspace: { id: null, name: null, slug: null },
  rule: { id: null, name: null },
};

/** The values of the keys of a notification rule. */
export const RULE_NAMES: ValueNames = RULE;

/** The values of a notification template: those of rules, and those of the automations that send it. */
export const TEMPLATE_NAMES: ValueNames = { ...STEPS, ...RULE, steps: null };

// Names of liquidjs, for lists and texts.
const OF_ANYTHING: readonly unknown[] = ['size', 'first', 'last'];

/**
 * The reason why a path leads nowhere, such as `event.sumary is not a known value; did you mean summary?`; `null` if it may lead to a
 * value.
 */
export function nameIssue(path: readonly unknown[], names: ValueNames): string | null {
  let known: ValueNames | null = names;
  for (const [index, name] of path.entries()) {
    if (known === null || typeof name !== 'string' || (index > 0 && OF_ANYTHING.includes(name))) return null;
    if (!Object.hasOwn(known, name)) {
      const prefix = path.slice(0, index + 1).join('.');
      const isStep = index === 1 && path[0] === 'steps';
      const siblings = Object.keys(known);
      if (isStep && siblings.length === 0)
        return `${prefix} names an earlier action, but none comes before this one`;
      return `${prefix} ${unknownName(name, { known: siblings, noun: isStep ? 'earlier action' : 'value' })}`;
    }
    known = known[name] ?? null;
  }
  return null;
}
