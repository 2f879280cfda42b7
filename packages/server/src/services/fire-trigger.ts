import type { NotificationTrigger } from '@hubline/contract';
import type { WorkContext } from '../context.ts';
import { type Awaitable, andThen } from '../db/core/awaitable.ts';
import type { Tx } from '../db/core/schema.ts';
import { eventScope, plainScope, type Scope } from '../domain/conditions/scope.ts';
import type { Fact } from '../domain/notifications/rule.ts';
import type { Lineage } from '../domain/events/lineage.ts';
import { startAutomations } from './automations/triggers/start.ts';
import { budgetOf } from './conditions.ts';
import { notify } from './notifications/rules/notify.ts';
import { fanOut } from './fan-out/fan-out.ts';
import type { Occurrence } from './fan-out/occurrence.ts';

/** An occurrence of a trigger that people can be notified of. */
type Notifiable = Occurrence & { trigger: NotificationTrigger } & Pick<Fact, 'severity'> & {
    /** The automations that led to it. Default: none. */
    lineage?: Lineage | undefined;
  };

/** Fires a trigger, in the transaction of its cause: makes deliveries, starts automations, and notifies people. */
export function fireTrigger(tx: Tx, context: WorkContext, fired: Notifiable): Awaitable<void> {
  const occurrence = { ...fired, scope: scopeOnce(context, fired) };
  return andThen(fanOut(tx, context, occurrence), () =>
    andThen(startAutomations(tx, context, occurrence), () => notifyPeople(tx, context, occurrence)),
  );
}

function notifyPeople(
  tx: Tx,
  context: WorkContext,
  occurrence: Notifiable & { scope: () => Scope },
): Awaitable<void> {
  const { workspaceId, trigger, event, data, severity, scope } = occurrence;
  const fact: Fact = event
    ? { trigger, type: event.type, source: event.source, integrationId: event.integrationId, severity }
    : { trigger };
  const id = event?.id ?? context.ids('message');
  return notify(tx, context, { workspaceId, id, fact, data, scope });
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
