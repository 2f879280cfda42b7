import type { ConditionVerdict } from '@hubline/contract';
import type { WorkspaceContext } from '../../../context.ts';
import { type AutomationRow, findVersion } from '../../../db/automations/automations.ts';
import { listRuns, listSteps } from '../../../db/automations/runs.ts';
import { parsePath } from '../../../domain/conditions/path.ts';
import { parseExact } from '../../../domain/json/numbers/exact-number.ts';
import type { Action } from '../actions/action.ts';

/** The results that a dry run uses instead of performing steps, by the ID of their action. */
export interface KnownResults {
  /** The run that produced them; `null` if there is none. */
  runId: string | null;
  outputs: ReadonlyMap<string, unknown>;
}

/** The results of the last run that succeeded, if possible one for this event. */
export async function knownResults(
  { store: { read } }: WorkspaceContext,
  { id: automationId, workspace_id: workspaceId }: AutomationRow,
  eventId: string | null,
): Promise<KnownResults> {
  const filter = { workspaceId, automationId, status: 'succeeded' } as const;
  const newest = { after: null, limit: 1 };
  const lastOf = async (wanted: { eventId?: string }) =>
    (await listRuns(read, { ...filter, ...wanted }, newest)).rows[0];
  const run = (eventId === null ? undefined : await lastOf({ eventId })) ?? (await lastOf({}));
  if (!run) return { runId: null, outputs: new Map() };
  const version = await findVersion(read, run);
  const actions = JSON.parse(version?.actions ?? '[]') as Action[];
  const outputs = (await listSteps(read, run)).flatMap(({ output }, at) =>
    output === null ? [] : [[actions[at]?.id ?? `a${at + 1}`, parseExact(output)] as const],
  );
  return { runId: run.id, outputs: new Map(outputs) };
}

const UNKNOWN = 'not known before a run has succeeded';

/** Marks the verdicts that need a result that no run has produced yet. */
export const withUnknown = (
  verdicts: readonly ConditionVerdict[],
  { outputs }: KnownResults,
): ConditionVerdict[] =>
  verdicts.map((verdict) => {
    const [root, id, part] = parsePath(verdict.field) ?? [];
    const isKnown = root !== 'steps' || part === 'status' || outputs.has(String(id));
    return isKnown ? verdict : { ...verdict, note: UNKNOWN };
  });

/** Reports whether a verdict waits for a result. */
export const isUnknown = ({ note }: ConditionVerdict): boolean => note === UNKNOWN;
