import type { Automation } from '@hubline/contract';
import type { z } from 'zod';
import type { StartRow } from '../../db/automations/automations.ts';
import type { Conditions } from '../../domain/conditions/conditions.ts';
import { storedConditions } from '../../domain/conditions/stored-conditions.ts';

export type AutomationTrigger = z.output<typeof Automation>['trigger'];

/** An automation as far as it says what starts it. */
export interface Start {
  readonly id: string;
  readonly trigger: AutomationTrigger;
  readonly conditions: Conditions | null;
}

/** By trigger, then by type of event; `*` is any type, and none. */
type StartIndex = ReadonlyMap<string, ReadonlyMap<string, readonly Start[]>>;

const ANY = '*';
const NONE: readonly Start[] = [];
const indexes = new WeakMap<readonly StartRow[], StartIndex>();

/** The automations that wait for a trigger and a type of event: what else they ask is not looked at yet. */
export function startsFor(
  rows: readonly StartRow[],
  { trigger, type }: { trigger: string; type: string | undefined },
): readonly Start[] {
  const byType = indexOf(rows).get(trigger);
  if (!byType) return NONE;
  const exact = type === undefined ? undefined : byType.get(type);
  const any = byType.get(ANY);
  if (exact && any) return [...exact, ...any];
  return exact ?? any ?? NONE;
}

/** The index of a workspace. Its rows are the same array for every event until one of them changes. */
function indexOf(rows: readonly StartRow[]): StartIndex {
  let index = indexes.get(rows);
  if (!index) {
    index = build(rows);
    indexes.set(rows, index);
  }
  return index;
}

function build(rows: readonly StartRow[]): StartIndex {
  const index = new Map<string, Map<string, Start[]>>();
  for (const { id, trigger: json, conditions } of rows) {
    if (id === null || json === null) continue;
    const trigger = JSON.parse(json) as AutomationTrigger;
    const start = {
      id,
      trigger,
      conditions: storedConditions(conditions === null ? null : JSON.parse(conditions)),
    };
    const byType = index.get(trigger.event) ?? new Map<string, Start[]>();
    index.set(trigger.event, byType);
    for (const type of new Set(trigger.types ?? [ANY])) {
      const starts = byType.get(type);
      if (starts) starts.push(start);
      else byType.set(type, [start]);
    }
  }
  return index;
}
