import type { EndedAttempt } from '../../delivery/delivery-store.ts';
import type { NextState } from '../../domain/deliveries/delivery.ts';
import type { CountedAttempt } from '../../domain/stats/tally.ts';

const MESSAGE_MAX = 200;

/** An attempt for the statistics; none if it was not recorded because its lease was lost. */
export function countedAttempt(
  { delivery, outcome }: EndedAttempt,
  state: Pick<NextState, 'status'> | null,
  at: number,
): CountedAttempt[] {
  if (!state) return [];
  const { id: webhookId, workspaceId } = delivery.endpoint;
  const ended = state.status !== delivery.state.status && isFinal(state.status) ? state.status : null;
  return [
    {
      workspaceId,
      webhookId,
      at,
      ok: outcome.ok,
      startedAt: outcome.startedAt.getTime(),
      durationMs: outcome.durationMs,
      responseStatus: outcome.response?.status ?? null,
      errorKind: outcome.error?.kind ?? null,
      message: outcome.ok ? null : failureText(outcome),
      ended,
    },
  ];
}

/** The beginning of the error or response of a failed attempt, in one line. */
function failureText({ response, error }: EndedAttempt['outcome']): string | null {
  const text = error?.message ?? response?.body ?? '';
  const line = text
    .slice(0, 2 * MESSAGE_MAX)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.slice(0, MESSAGE_MAX).toWellFormed() || null;
}

const isFinal = (status: NextState['status']) => status === 'delivered' || status === 'failed';
