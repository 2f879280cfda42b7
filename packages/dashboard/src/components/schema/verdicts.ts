import type { ConditionVerdict } from '@hubline/sdk';
import { createContext } from 'preact';

/** The verdict of a dry run on each comparison, by its path in the request, such as `conditions.all[0]`. */
export const Verdicts = createContext<ReadonlyMap<string, ConditionVerdict>>(new Map());

/** The verdicts of conditions at a path. */
export const verdictsAt = (
  path: string,
  verdicts: readonly ConditionVerdict[] | null,
): [string, ConditionVerdict][] =>
  (verdicts ?? []).map((verdict) => [[path, verdict.path].filter(Boolean).join('.'), verdict]);
