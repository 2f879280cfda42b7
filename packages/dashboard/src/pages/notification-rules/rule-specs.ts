import { LIMITS, NOTIFICATION_TRIGGERS, ROLES, SEVERITIES } from '@hubline/contract/constants';
import type { Condition, Destination, ErrorDetail } from '@hubline/sdk';
import { conditionIssues } from '../../components/schema/conditions.tsx';
import { issuesOf, type Spec, type Values } from '../../components/schema/spec.ts';
import { zone } from '../../components/text/time.tsx';

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));

/** The triggers and events that a rule is about. */
export const WHEN: readonly Spec[] = [
  {
    name: 'notify_on',
    label: 'Triggers',
    kind: 'ticks',
    options: named(NOTIFICATION_TRIGGERS),
    required: true,
  },
  { name: 'types', label: 'Event types', kind: 'list', placeholder: 'any' },
  { name: 'sources', label: 'Sources', kind: 'list', placeholder: 'any' },
];

export const SEVERITY: readonly Spec[] = [
  {
    name: 'severity',
    label: 'Severities',
    kind: 'ticks',
    options: named(SEVERITIES),
    hint: 'If none is checked, all apply.',
  },
];

const windowSpec = (label: string, min: number): Spec => ({
  name: 'window_seconds',
  label,
  kind: 'number',
  required: true,
  range: [min, LIMITS.windowMaxSeconds],
});

/** Parts of a rule that may be switched off, with their fields and initial values. */
export const PARTS: readonly {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly Spec[];
  readonly begin: Values;
}[] = [
  {
    name: 'quiet_hours',
    title: 'Quiet hours',
    description: 'Messages wait until they end. In-app notifications come at once.',
    fields: [
      { name: 'from', label: 'From', required: true },
      { name: 'to', label: 'To', required: true },
      { name: 'timezone', label: 'Time zone', required: true },
      {
        name: 'days',
        label: 'Days',
        kind: 'ticks',
        options: { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
        hint: 'Quiet hours begin on these days; on every day if none is checked.',
      },
    ],
    begin: { from: '22:00', to: '07:00', timezone: zone },
  },
  {
    name: 'digest',
    title: 'Digest',
    description: 'Collects messages from the first one on, and sends them together.',
    fields: [
      windowSpec('Collect for (seconds)', LIMITS.digestMinSeconds),
      {
        name: 'max_items',
        label: 'Maximum items listed',
        kind: 'number',
        range: [1, LIMITS.digestItemsMax],
        placeholder: '50',
      },
      { name: 'key', label: 'Group by', insert: 'template', placeholder: '{{ event.source }}' },
    ],
    begin: { window_seconds: 900 },
  },
  {
    name: 'dedupe',
    title: 'Repeats',
    description: 'Drops messages that repeat a recent one.',
    fields: [
      { name: 'key', label: 'Deduplication key', insert: 'template', required: true },
      windowSpec('For (seconds)', 1),
    ],
    begin: { key: '{{ event.type }}:{{ event.summary.subject.id }}', window_seconds: 300 },
  },
];

export const KINDS = {
  integration: 'A tool’s channel',
  webhook: 'A webhook',
  email: 'Email',
  in_app: 'In Hubline',
} as const;

export const ROLE_SPEC: Spec = { name: 'roles', label: 'Roles', kind: 'ticks', options: named(ROLES) };

export const NAME: readonly Spec[] = [{ name: 'name', label: 'Name', required: true }];

export const destinationsOf = (values: Values) => (values['destinations'] ?? []) as readonly Values[];

/** The problems of a rule that can be found without the server. */
export const ruleIssues = (values: Values): ErrorDetail[] => [
  ...issuesOf([...NAME, ...WHEN], values),
  ...conditionIssues(values['conditions'] as Condition | null, 'conditions'),
  ...PARTS.flatMap(({ name, fields }) => {
    const part = values[name] as Values | null | undefined;
    return part ? issuesOf(fields, part, `${name}.`) : [];
  }),
];

/** The destinations of a rule in a line: `#ops; email to owner, admin`. */
export const placesOf = (destinations: readonly Destination[]): string =>
  destinations
    .map((each) => {
      if (each.kind === 'integration') return each.channel ?? 'a tool';
      if (each.kind === 'webhook') return 'a webhook';
      const who = each.roles?.join(', ') ?? 'some members';
      return each.kind === 'email' ? `email to ${who}` : `in Hubline: ${who}`;
    })
    .join('; ');
