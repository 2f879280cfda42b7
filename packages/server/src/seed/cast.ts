import type { Role } from '@hubline/contract';

/** A domain that is reserved for examples (RFC 2606): no name under it will ever resolve. */
export const DOMAIN = 'fernhill.example';

/** A person of the invented company. */
export interface Person {
  name: string;
  email: string;
  /** Their user name on GitHub. */
  login: string;
  /** Their ID in Slack. */
  slack: string;
  role: Role;
}

const person = ({ name, ...rest }: Omit<Person, 'email'>): Person => ({
  ...rest,
  name,
  email: `${(name.split(' ')[0] ?? '').toLowerCase()}@${DOMAIN}`,
});

/** The owner of the workspace, who logs in. */
export const OWNER = person({ name: 'Mara Kowalski', login: 'mara-k', role: 'owner', slack: 'U05MARA01' });

/** The other members, in the order in which they joined. */
export const TEAM: readonly Person[] = [
  person({ name: 'Jonas Lindqvist', login: 'jlindqvist', role: 'admin', slack: 'U05JONAS2' }),
  person({ name: 'Priya Raman', login: 'priyaraman', role: 'admin', slack: 'U05PRIYA3' }),
  person({ name: 'Tomas Herrera', login: 'tomash', role: 'member', slack: 'U05TOMAS4' }),
  person({ name: 'Aiko Tanaka', login: 'aikot', role: 'member', slack: 'U05AIKO05' }),
  person({ name: 'Lena Brandt', login: 'lenabrandt', role: 'viewer', slack: 'U05LENA06' }),
];

/** People who were invited and have not accepted yet. */
export const INVITED: readonly { email: string; role: Role }[] = [
  { email: `noor@${DOMAIN}`, role: 'member' },
  { email: 'audit@brightledger.example', role: 'viewer' },
];

export const EVERYONE: readonly Person[] = [OWNER, ...TEAM];

/** The people who write code. */
export const ENGINEERS: readonly Person[] = EVERYONE.filter(({ role }) => role !== 'viewer');

export const REPOSITORIES = ['checkout', 'ledger', 'storefront', 'platform'] as const;

/** Titles of the work under way, used in pull requests, issues and commits. */
export const WORK = [
  'Retry card capture when the ledger times out',
  'Show the delivery window in the cart',
  'Drop the legacy refund endpoint',
  'Sign outgoing calls with the new key',
  'Cache exchange rates for a minute',
  'Move the invoice worker to its own queue',
  'Explain declined cards in plain words',
  'Partition ledger entries by month',
  'Let support search orders by email',
  'Keep the basket when a session expires',
  'Round taxes per line, not per order',
  'Measure the time to first byte of checkout',
  'Warn before a gift card is used up',
  'Make the import of bank statements resumable',
  'Fix the flicker of the price on slow phones',
  'Split the monolith test job into four',
  'Rotate the signing keys of the payment gateway',
  'Archive orders that are older than seven years',
  'Add a dry run to the payout command',
  'Stop sending receipts twice after a timeout',
  'Store amounts as integers everywhere',
  'Upgrade the database driver to 8.13',
  'Reject webhooks that are older than five minutes',
  'Load the address form without layout shift',
] as const;

export const BRANCHES = [
  'main',
  'main',
  'main',
  'retry-capture',
  'cart-window',
  'ledger-partitions',
] as const;

export const REMARKS = [
  'Reproduced on staging, only with 3-D Secure cards.',
  'Nice. Could we cover the timeout case as well?',
  "I'd rather keep the old name until the next release.",
  'Looks good, the numbers of the load test are in the thread.',
  'This also fixes the double receipt that support saw on Monday.',
  "Let's wait for the ledger deploy before we merge this.",
  'Two of the four shards are done, the rest will run tonight.',
  'The graph has looked right again since the rollback.',
  'Can you add the order ID to the log line?',
  'Thanks, that explains the spike at nine.',
] as const;

export const CHAT = [
  'Rolling back ledger in us-east, the error rate is above 2%',
  'Checkout is green again, the rollback took 40 seconds',
  'Finance is asking when the October export will be ready',
  'Who is on call this weekend? The calendar says nobody',
  'Billing has been returning 503s since last night, is anyone looking at it?',
  'The new receipt template is live for 10% of orders',
  'Heads-up: we are failing over the reporting database at 14:00 UTC',
  'Support sees declined cards from one bank only, taking a look',
  'Load test is done: 1,840 orders a second, p99 below 300 ms',
  'Retro notes are in Notion, please add yours before noon',
  'The status page shows the incident as resolved',
  'Please review the runbook for payment retries',
] as const;

export const CHANNELS = [
  { id: 'C05DEPLOYS', name: 'deploys' },
  { id: 'C05ONCALL1', name: 'on-call' },
  { id: 'C05PAYMENT', name: 'payments' },
  { id: 'C05GENERAL', name: 'general' },
] as const;
