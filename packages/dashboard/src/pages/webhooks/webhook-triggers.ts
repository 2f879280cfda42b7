import { NAMED_TRIGGERS, type Trigger, TRIGGERS } from '@hubline/contract/constants';
import { formatList } from '../../data/formats/format-number.ts';

/** The triggers that `*` does not include. */
export const namedTriggers: readonly string[] = NAMED_TRIGGERS;

/** The triggers that `*` includes. */
const commonTriggers = TRIGGERS.filter((name) => !namedTriggers.includes(name));

const ALL = 'Common triggers (*)';
const HINTS: Readonly<Record<Trigger, string>> = {
  'event.created': 'An event came from an integration or the API.',
  'automation.completed': 'A run of an automation has ended.',
  'integration.connected': 'An integration was added.',
  'user.invited': 'A user was invited to the workspace.',
  'webhook.failing': 'Another webhook fails at every attempt.',
  'webhook.disabled': 'Another webhook was disabled.',
  'integration.error': 'An integration has a problem.',
  'automation.disabled': 'An automation was disabled.',
  'notification.sent': 'A notification rule names this webhook as a destination.',
};

/** The triggers that a webhook can subscribe to. docs/specification.md says which of them Hubline adds. */
export const triggers = [
  { value: '*', label: ALL, hint: `${formatList(commonTriggers)}. Choose the others one by one.` },
  ...TRIGGERS.map((name) => ({ value: name, label: name, hint: HINTS[name] })),
];

/** The subscriptions of a webhook, each with its label. */
export const subscriptionNames = (events: readonly string[]): readonly string[] =>
  events.map((name) => (name === '*' ? ALL : name));

/** The number of triggers that subscriptions name. */
export const countTriggers = (events: readonly string[]): number =>
  events.length + (events.includes('*') ? commonTriggers.length - 1 : 0);

/** The trigger names as a choice. */
export const triggerNames = Object.fromEntries(TRIGGERS.map((name) => [name, name])) as {
  readonly [Name in Trigger]: Name;
};

export const isTrigger = (name: string): name is Trigger => name in triggerNames;
