import { LIMITS } from '@hubline/contract';
import { recordEvent } from '../../events/record-event.ts';
import { summarize } from '../../../domain/events/summary/summarize.ts';
import type { ActionKind, ActionOf } from './action.ts';
import { renderPayload } from './render-payload.ts';

interface Request {
  type: string;
  source: string;
  payload: Record<string, unknown>;
}

/** Publishes an event exactly once, in the transaction that stores the end of the step. */
export const createEvent: ActionKind<ActionOf<'create_event'>, Request> = {
  render({ event_type: type, source = 'automation', payload }, { values }) {
    const rendered = renderPayload(payload, values);
    if (!rendered.ok) return rendered;
    return { ok: true, request: { type, source, payload: rendered.value as Record<string, unknown> } };
  },

  async perform({ type, source, payload }, { work, run }) {
    if (run.allowance < 1)
      return {
        ok: false,
        error: `one event may lead automations to publish at most ${LIMITS.automationEventsMax} events, shared among the automations that it starts; this one has no share left`,
        response: null,
        retryAfterMs: null,
      };
    const json = JSON.stringify(payload);
    const output: { event_id: string | null } = { event_id: null };
    return {
      ok: true,
      response: output,
      output,
      async commit(tx) {
        const recorded = await recordEvent(tx, work, {
          workspaceId: run.workspace_id,
          integration: null,
          type,
          source,
          payload: json,
          summary: summarize(type, JSON.parse(json) as Record<string, unknown>),
          dedupeKey: null,
          occurredAt: null,
          lineage: { depth: run.depth + 1, allowance: run.allowance - 1 },
        });
        output.event_id = recorded.duplicate ? recorded.id : recorded.row.id;
      },
    };
  },
};
