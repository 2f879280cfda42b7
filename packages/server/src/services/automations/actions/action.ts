import type { Automation } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkContext } from '../../../context.ts';
import type { RunRow } from '../../../db/automations/runs.ts';
import type { Db, Tx } from '../../../db/core/schema.ts';

/** One action of an automation, as it is stored. */
export type Action = z.output<typeof Automation>['actions'][number];
export type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;

/** A step to perform. */
export interface StepWork {
  work: WorkContext;
  run: RunRow;
  /** The sealed secret that signs calls. */
  automation: { id: string; name: string; secret: string | null };
  /** The user who is responsible for the action. */
  responsibleUserId: string;
  /** The values that templates may name. */
  values: Readonly<Record<string, unknown>>;
  /** The same on every attempt of this step, and unique to it: a receiver can recognize a repetition by it. */
  key: string;
  attempt: number;
  /** True if an earlier attempt may have performed it: its response was lost, or its process died. */
  again: boolean;
}

/** The request of an action, rendered. */
export type RenderedRequest<Request extends object = object> =
  | { ok: true; request: Request }
  | { ok: false; error: string };

/** The outcome of an attempt. */
export type ActionOutcome =
  | {
      ok: true;
      response: object | null;
      /** Values that later steps may name. */
      output: object;
      /** Runs in the transaction that stores the end of the step. */
      commit?: (tx: Tx) => Promise<void>;
    }
  | {
      ok: false;
      error: string;
      response: object | null;
      /** The delay before the next attempt; `null` if it would fail again. */
      retryAfterMs: number | null;
      commit?: (tx: Tx) => Promise<void>;
    };

/** The part of a step from which its request is rendered; a dry run has nothing else. */
export interface RenderWork {
  read: Db;
  providers: WorkContext['providers'];
  run: Pick<RunRow, 'id' | 'workspace_id' | 'trigger'>;
  automation: Pick<StepWork['automation'], 'id' | 'name'>;
  values: StepWork['values'];
}

/** The behavior of one type of action. */
export interface ActionKind<Kind extends Action, Request extends object> {
  render(action: Kind, step: RenderWork): RenderedRequest<Request> | Promise<RenderedRequest<Request>>;
  perform(request: Request, step: StepWork, action: Kind): Promise<ActionOutcome>;
}
