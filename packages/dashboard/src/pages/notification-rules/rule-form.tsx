import { PERMISSIONS } from '@hubline/contract/constants';
import type { Condition, IntegrationSummary, Member, NotificationTemplate, Webhook } from '@hubline/sdk';
import { Button } from '../../components/controls/button.tsx';
import { IconButton } from '../../components/controls/icon-button.tsx';
import { Toggle } from '../../components/controls/toggle.tsx';
import { Section } from '../../components/page/section.tsx';
import { Conditions } from '../../components/schema/conditions.tsx';
import { rememberField } from '../../components/schema/insert-path.ts';
import { SchemaFields } from '../../components/schema/schema-fields.tsx';
import { put, type Spec, through, type Values } from '../../components/schema/spec.ts';
import type { Draft } from '../../components/schema/use-draft.ts';
import { integrationOptions } from '../integrations/use-integrations.ts';
import { webhookOptions } from '../webhooks/webhook-name.tsx';
import { destinationsOf, KINDS, NAME, PARTS, ROLE_SPEC, SEVERITY, WHEN } from './rule-specs.ts';

interface RuleFormProps {
  readonly draft: Draft;
  readonly integrations: readonly IntegrationSummary[];
  readonly webhooks: readonly Webhook[];
  readonly members: readonly Member[];
  readonly templates: readonly NotificationTemplate[];
  /** True for those who may only view the rule. */
  readonly locked: boolean;
}

/** The fields of a rule: when it notifies, whom, and how. */
export function RuleForm({ draft, integrations, webhooks, members, templates, locked }: RuleFormProps) {
  const { values } = draft;
  const set = (name: string, value: unknown) => draft.set(put(values, name, value));
  const destinations = destinationsOf(values);
  const names = integrationOptions(integrations);
  const fields: Readonly<Record<string, readonly Spec[]>> = {
    integration: [
      {
        name: 'integration_id',
        label: 'Integration',
        kind: 'select',
        options: names,
      },
      { name: 'channel', label: 'Channel', placeholder: 'the integration’s channel' },
    ],
    webhook: [
      {
        name: 'webhook_id',
        label: 'Webhook',
        kind: 'select',
        options: webhookOptions(webhooks),
      },
    ],
    email: people(members),
    in_app: people(members),
  };
  // A kind of destination is not offered if the workspace has none of it.
  const few: Readonly<Record<string, number>> = {
    integration: integrations.length,
    webhook: webhooks.length,
  };
  const begin: Readonly<Record<string, Values>> = {
    integration: { integration_id: integrations[0]?.integration_id },
    webhook: { webhook_id: webhooks[0]?.id },
    email: { roles: PERMISSIONS.manage_workspace },
    in_app: { roles: PERMISSIONS.edit_automations },
  };
  return (
    <fieldset class="pane-body bare" disabled={locked} onFocusIn={rememberField}>
      <Section title="When">
        <SchemaFields specs={[...WHEN, through(names)]} values={values} onChange={draft.set} />
        <SchemaFields
          specs={SEVERITY}
          values={(values['filters'] ?? {}) as Values}
          path="filters."
          onChange={(next) => set('filters', next['severity'] ? next : undefined)}
        />
        <Conditions
          value={values['conditions'] as Condition | null}
          path="conditions"
          add="Only if"
          onChange={(next) => set('conditions', next)}
        />
      </Section>
      <Section title="Send to">
        {destinations.map((destination, at) => (
          <div class="node" key={at}>
            <div class="node-head">
              <b class="grow">{KINDS[destination['kind'] as keyof typeof KINDS]}</b>
              <IconButton
                kind="copy"
                icon="x"
                label={`Remove destination ${at + 1}`}
                onClick={() => set('destinations', destinations.toSpliced(at, 1))}
              />
            </div>
            <div class="node-body">
              <SchemaFields
                specs={fields[String(destination['kind'])] ?? []}
                values={destination}
                path={`destinations[${at}].`}
                onChange={(next) => set('destinations', destinations.with(at, next))}
              />
            </div>
          </div>
        ))}
        <div class="line wrapf">
          {Object.entries(KINDS)
            .filter(([kind]) => !(kind in few) || few[kind] !== 0)
            .map(([kind, label]) => (
              <Button
                key={kind}
                size="small"
                icon="plus"
                onClick={() => set('destinations', [...destinations, { kind, ...begin[kind] }])}
              >
                {label}
              </Button>
            ))}
        </div>
        <SchemaFields
          specs={[
            {
              name: 'template_id',
              label: 'Text',
              kind: 'select',
              options: {
                '': 'One line about what happened',
                ...Object.fromEntries(templates.map(({ id, name }) => [id, name])),
              },
            },
            {
              name: 'critical',
              label: 'Critical: send at once, ignoring quiet hours and digests',
              kind: 'check',
            },
          ]}
          values={values}
          onChange={draft.set}
        />
      </Section>
      {PARTS.map(({ name, title, description, fields: specs, begin: first }) => (
        <Section
          key={name}
          title={title}
          description={description}
          actions={
            <Toggle
              on={values[name] != null}
              label={title}
              blocked={locked ? 'View only' : undefined}
              onChange={(on) => set(name, on ? first : undefined)}
            />
          }
        >
          {values[name] != null && (
            <SchemaFields
              specs={specs}
              values={values[name] as Values}
              path={`${name}.`}
              onChange={(next) => set(name, next)}
            />
          )}
        </Section>
      ))}
      <SchemaFields specs={NAME} values={values} onChange={draft.set} />
    </fieldset>
  );
}

const people = (members: readonly Member[]): readonly Spec[] => [
  ROLE_SPEC,
  {
    name: 'user_ids',
    label: 'Members',
    kind: 'ticks',
    options: Object.fromEntries(members.map(({ user_id: id, email }) => [id, email])),
  },
];
