import type { Notice } from '@hubline/contract';
import type { WorkContext } from '../context.ts';
import type { Tx } from '../db/core/schema.ts';
import { eventScope, plainScope, type Scope } from '../domain/conditions/scope.ts';
import type { Fact } from '../domain/notifications/rule.ts';
import type { Lineage } from './automations/runs/allowance.ts';
import { startAutomations } from './automations/triggers/start.ts';
import { budgetOf } from './conditions.ts';
import { notify } from './notifications/rules/notify.ts';
import { fanOut, type Occurrence } from './webhooks/fan-out.ts';

type News = Occurrence & { trigger: Notice } & Pick<Fact, 'severity'> & {
    /** The automations that have led to it; default: none. */
    lineage?: Lineage | undefined;
  };

/** Tells webhooks, automations and people what happened, in its transaction. */
export async function tell(tx: Tx, context: WorkContext, { severity, ...news }: News): Promise<void> {
  const { workspaceId, trigger, event, data } = news;
  const occurrence = { ...news, scope: scopeOnce(context, news) };
  await fanOut(tx, context, occurrence);
  await startAutomations(tx, context, occurrence);
  const fact: Fact = event
    ? { trigger, type: event.type, source: event.source, integrationId: event.integrationId, severity }
    : { trigger };
  const id = event?.id ?? context.ids('message');
  await notify(tx, context, { workspaceId, id, fact, data, scope: occurrence.scope });
}

function scopeOnce(context: WorkContext, { trigger, data, event }: Occurrence): () => Scope {
  let scope: Scope | undefined;
  const make = () => {
    const budget = budgetOf(context);
    if (!event) return plainScope(trigger, data, budget);
    return eventScope(trigger, { ...event, createdAt: context.now.toISOString() }, budget);
  };
  return () => (scope ??= make());
}
