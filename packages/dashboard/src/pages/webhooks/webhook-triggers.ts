import { NAMED_TRIGGERS, type Trigger, TRIGGERS } from '@hubline/contract/constants';
import { formatList } from '../../data/formats/format-number.ts';

/** The triggers that `*` does not include. */
export const namedTriggers: readonly string[] = NAMED_TRIGGERS;

/** The triggers that `*` includes. */
const commonTriggers = TRIGGERS.filter((name) => !namedTriggers.includes(name));

/** The triggers that a webhook can subscribe to. docs/specification.md says which of them Hubline adds. */
export const triggers = [
  {
    value: '*',
    label: 'Common triggers (*)',
    hint: `${formatList(commonTriggers)}. Choose the others one by one.`,
  },
  { value: 'event.created', label: 'event.created', hint: 'An event came from an integration or the API.' },
  {
    value: 'automation.completed',
    label: 'automation.completed',
    hint: 'A run of an automation has ended.',
  },
  { value: 'integration.connected', label: 'integration.connected', hint: 'An integration was added.' },
  { value: 'user.invited', label: 'user.invited', hint: 'A user was invited to the workspace.' },
  { value: 'webhook.failing', label: 'webhook.failing', hint: 'Another webhook fails at every attempt.' },
  { value: 'webhook.disabled', label: 'webhook.disabled', hint: 'Another webhook was disabled.' },
  { value: 'integration.error', label: 'integration.error', hint: 'An integration has a problem.' },
  { value: 'automation.disabled', label: 'automation.disabled', hint: 'An automation was disabled.' },
  {
    value: 'notification.sent',
    label: 'notification.sent',
    hint: 'A notification rule names this webhook as a destination.',
  },
] as const satisfies readonly { value: Trigger | '*'; label: string; hint: string }[];

/** The subscriptions of a webhook, each with its label. */
export const subscriptionNames = (events: readonly string[]): readonly string[] =>
  events.map((name) => (name === '*' ? triggers[0].label : name));

/** The number of triggers that subscriptions name. */
export const countTriggers = (events: readonly string[]): number =>
  events.length + (events.includes('*') ? commonTriggers.length - 1 : 0);

/** The trigger names as a choice. */
export const triggerNames = Object.fromEntries(TRIGGERS.map((name) => [name, name])) as {
  readonly [Name in Trigger]: Name;
};

export const isTrigger = (name: string): name is Trigger => name in triggerNames;
