import type { Subscription } from '@hubline/contract/types';

/** What a webhook can subscribe to, as the specification describes it. */
export const triggers = [
  { value: '*', label: 'Everything (*)', hint: 'Also triggers that are added later.' },
  { value: 'event.created', label: 'event.created', hint: 'An event came from an integration or the API.' },
  {
    value: 'automation.completed',
    label: 'automation.completed',
    hint: 'An automation finished. This version has none: it does not fire yet.',
  },
  { value: 'integration.connected', label: 'integration.connected', hint: 'An integration was added.' },
  { value: 'user.invited', label: 'user.invited', hint: 'Somebody was invited to the workspace.' },
] as const satisfies readonly { value: Subscription; label: string; hint: string }[];

/** The names without the wildcard, as a choice. */
export const triggerNames = {
  'event.created': 'event.created',
  'automation.completed': 'automation.completed',
  'integration.connected': 'integration.connected',
  'user.invited': 'user.invited',
} as const satisfies Record<Exclude<Subscription, '*'>, string>;

export const isTrigger = (name: string): name is keyof typeof triggerNames => name in triggerNames;
