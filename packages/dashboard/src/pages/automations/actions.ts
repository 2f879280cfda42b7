import { type AutomationTriggerName, LIMITS } from '@hubline/contract/constants';
import type {
  Condition,
  ErrorDetail,
  IntegrationSummary,
  NotificationTemplate,
  Provider,
} from '@hubline/sdk';
import { conditionIssues } from '../../components/schema/conditions.tsx';
import { issuesOf, type Spec, type Values } from '../../components/schema/spec.ts';
import { integrationOptions } from '../integrations/use-integrations.ts';

/** An action that a step can take: its label, its fields, and its initial values. */
export interface ActionKind {
  readonly type: string;
  readonly label: string;
  /** The tool, for its icon; `undefined` for actions of Hubline itself. */
  readonly provider?: string;
  readonly fields: readonly Spec[];
  /** The fields of `input`, for an action of a tool. */
  readonly inputs?: readonly Spec[];
  readonly begin: Values;
}

const TEXT = '{{ event.summary.text }}';

/** The actions of Hubline itself. */
const OWN: readonly ActionKind[] = [
  {
    type: 'call_webhook',
    label: 'Call a webhook',
    fields: [
      { name: 'url', label: 'URL', required: true },
      {
        name: 'method',
        label: 'Method',
        kind: 'select',
        options: { '': 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE', GET: 'GET' },
      },
      {
        name: 'payload',
        label: 'Body',
        kind: 'json',
        insert: 'template',
        hint: 'JSON. Default: the event.',
      },
      { name: 'headers', label: 'Headers', kind: 'pairs', placeholder: 'X-Team: platform' },
      {
        name: 'timeout_seconds',
        label: 'Timeout (seconds)',
        kind: 'number',
        range: [1, 10],
        placeholder: '10',
      },
    ],
    begin: { url: 'https://example.com/hook' },
  },
  {
    type: 'create_event',
    label: 'Publish an event',
    fields: [
      { name: 'event_type', label: 'Event type', required: true },
      { name: 'source', label: 'Source', placeholder: 'automation' },
      { name: 'payload', label: 'Payload', kind: 'json', insert: 'template', required: true },
    ],
    begin: { event_type: 'automated', payload: { text: TEXT } },
  },
  {
    type: 'wait',
    label: 'Wait',
    fields: [
      {
        name: 'seconds',
        label: 'Seconds',
        kind: 'number',
        required: true,
        range: [1, LIMITS.waitMaxSeconds],
      },
    ],
    begin: { seconds: 60 },
  },
];

/** Every action that the workspace can take: Hubline's own, and those of the tools that are connected. */
export function actionKinds(
  integrations: readonly IntegrationSummary[],
  providers: readonly Provider[],
  templates: readonly NotificationTemplate[],
): readonly ActionKind[] {
  const through = (those: readonly IntegrationSummary[]): Spec => ({
    name: 'integration_id',
    label: 'Integration',
    kind: 'select',
    required: true,
    options: integrationOptions(those),
  });
  const [first] = integrations;
  const message: ActionKind[] = first
    ? [
        {
          type: 'send_notification',
          label: 'Send a message',
          fields: [
            through(integrations),
            {
              name: 'channel',
              label: 'Channel',
              insert: 'template',
              placeholder: 'the integration’s channel',
            },
            { name: 'text', label: 'Text', kind: 'area', insert: 'template', hint: 'Or a template below.' },
            {
              name: 'template_id',
              label: 'Template',
              kind: 'select',
              options: { '': 'None', ...Object.fromEntries(templates.map(({ id, name }) => [id, name])) },
            },
          ],
          begin: { integration_id: first.integration_id, text: TEXT },
        },
      ]
    : [];
  const ofTools = providers.flatMap(({ provider, name: tool, actions }) => {
    const those = integrations.filter((each) => each.provider === provider);
    const [one] = those;
    if (!one) return [];
    return actions.map(({ type, name, inputs }): ActionKind => {
      const specs = inputs.map((input): Spec => ({
        name: input.name,
        label: input.name.charAt(0).toUpperCase() + input.name.slice(1).replaceAll('_', ' '),
        kind: input.type === 'text' ? 'area' : 'text',
        hint: input.description,
        required: input.required,
        insert: 'template',
      }));
      const input = Object.fromEntries(
        specs.filter((each) => each.required).map((each) => [each.name, TEXT]),
      );
      return {
        type,
        label: `${tool}: ${name}`,
        provider,
        fields: [through(those)],
        inputs: specs,
        begin: { integration_id: one.integration_id, input },
      };
    });
  });
  return [...message, ...ofTools, ...OWN];
}

/** The fields about failures, which every step has except `wait`. */
export const FAILING: readonly Spec[] = [
  {
    name: 'on_error',
    label: 'When it fails',
    kind: 'select',
    options: { '': 'Stop the run', continue: 'Continue' },
  },
  { name: 'retries', label: 'Retries', kind: 'number', range: [0, 4], placeholder: '2' },
];

export const STEP_ID: Spec = {
  name: 'id',
  label: 'Step ID',
  hint: 'Later steps read steps.<id>.output.',
};

interface TriggerKind {
  readonly label: string;
  readonly fields: readonly Spec[];
}

/** The fields of each trigger. */
export const TRIGGERS: Readonly<Record<string, TriggerKind>> = {
  'event.created': {
    label: 'An event happens',
    fields: [
      {
        name: 'types',
        label: 'Event types',
        kind: 'list',
        placeholder: 'any',
        hint: 'Such as pull_request, push.',
      },
      { name: 'sources', label: 'Sources', kind: 'list', placeholder: 'any', hint: 'Such as github.' },
    ],
  },
  'integration.connected': { label: 'An integration is connected', fields: [] },
  'user.invited': { label: 'Somebody is invited', fields: [] },
  schedule: {
    label: 'At set times',
    fields: [
      {
        name: 'cron',
        label: 'Cron',
        required: true,
        placeholder: '0 9 * * 1',
        hint: 'Minute, hour, day, month, weekday.',
      },
      { name: 'timezone', label: 'Time zone', placeholder: 'UTC' },
    ],
  },
  manual: { label: 'Somebody starts it by hand', fields: [] },
} satisfies Record<AutomationTriggerName, TriggerKind>;

/** The fields of an automation beside its flow. */
export const ABOUT: readonly Spec[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'description', label: 'Description' },
  {
    name: 'concurrency_key',
    label: 'Concurrency key',
    insert: 'template',
    placeholder: '{{ event.summary.subject.id }}',
    hint: 'Runs with the same key run one after the other.',
  },
  { name: 'secret', label: 'Signing secret', hint: 'Signs the calls of its steps. It is not shown again.' },
];

export const THROTTLE: readonly Spec[] = [
  {
    name: 'max_runs',
    label: 'Maximum runs',
    kind: 'number',
    range: [1, 1_000],
    placeholder: 'no limit',
    required: true,
  },
  { name: 'per_seconds', label: 'Per (seconds)', kind: 'number', range: [1, 86_400], required: true },
];

export const actionsOf = (values: Values): readonly Values[] =>
  (values['actions'] ?? []) as readonly Values[];
export const triggerOf = (values: Values): Values => (values['trigger'] ?? {}) as Values;

/** The problems of an automation that can be found without the server. The server finds the rest. */
export function automationIssues(values: Values, kinds: readonly ActionKind[]): ErrorDetail[] {
  const trigger = triggerOf(values);
  const throttle = values['throttle'] as Values | null | undefined;
  return [
    ...issuesOf(ABOUT, values),
    ...issuesOf(TRIGGERS[String(trigger['event'])]?.fields ?? [], trigger, 'trigger.'),
    ...conditionIssues(values['conditions'] as Condition | null, 'conditions'),
    ...(throttle ? issuesOf(THROTTLE, throttle, 'throttle.') : []),
    ...actionsOf(values).flatMap((action, index) => {
      const kind = kinds.find(({ type }) => type === action['type']);
      const path = `actions[${index}].`;
      return [
        ...issuesOf([...(kind?.fields ?? []), ...FAILING, STEP_ID], action, path),
        ...issuesOf(kind?.inputs ?? [], (action['input'] ?? {}) as Values, `${path}input.`),
        ...conditionIssues(action['if'] as Condition, `${path}if`),
      ];
    }),
  ];
}
