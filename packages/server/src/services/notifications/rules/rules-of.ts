import { NOTIFICATION_TRIGGERS, OPERATIONAL_TRIGGERS, PERMISSIONS } from '@hubline/contract';
import { listConfigs, listEnabledRules, type RuleRow } from '../../../db/notifications/rules.ts';
import { type Awaitable, andThen } from '../../../db/core/awaitable.ts';
import type { Db } from '../../../db/core/schema.ts';
import type { Scope } from '../../../domain/conditions/scope.ts';
import { storedConditions } from '../../../domain/conditions/stored-conditions.ts';
import { type Choice, ChoiceIndex, indexedOnce } from '../../../domain/conditions/choice-index.ts';
import {
  PLAIN_SETTINGS,
  refusedBy,
  type Rule,
  type RuleOccurrence,
  type RuleSettings,
} from '../../../domain/notifications/rule.ts';
import type { IntegrationConfig } from '../../../providers/provider.ts';

/** The key of the rule that notifies owners and admins of problems. */
export const OWNERS_RULE = 'owners';

// Owners and admins.
const roles = [...PERMISSIONS.manage_workspace];

/** A rule that every workspace has, without quiet hours or digests. */
const ownersRule: Rule = {
  ...PLAIN_SETTINGS,
  key: OWNERS_RULE,
  name: 'Problems of the workspace',
  template_id: null,
  conditions: null,
  notify_on: [...OPERATIONAL_TRIGGERS],
  destinations: [
    { kind: 'in_app', roles },
    { kind: 'email', roles },
  ],
  critical: true,
};

type RuleRows = Awaited<ReturnType<typeof listEnabledRules>>;
type ConfigRows = Awaited<ReturnType<typeof listConfigs>>;

const choiceOf = ({ notify_on: triggers, types, sources, filters, conditions }: Rule): Choice => ({
  triggers,
  types,
  sources,
  // Only events have a severity: a rule for critical events may also name other triggers.
  severities: triggers.every((name) => name === 'event.created') ? filters?.severity : null,
  needs: conditions?.needs,
});

const explicitRules = indexedOnce((rows: RuleRows) => rulesOfRows(rows), choiceOf);
const implicitRules = indexedOnce((rows: ConfigRows) => rulesOfConfigs(rows), choiceOf);
const OWNERS = new ChoiceIndex([ownersRule], choiceOf);

/**
 * The rules of every kind in a workspace that may match; their conditions are not fully checked here. An index finds
 * them: ten thousand other rules cost nothing. `values`: the values in the scope of the occurrence.
 */
export function rulesFor(
  db: Db,
  { workspaceId, fact }: Pick<RuleOccurrence, 'workspaceId' | 'fact'>,
  values: () => Scope['values'],
): Awaitable<readonly Rule[]> {
  return andThen(listEnabledRules(db, workspaceId), (rows) =>
    andThen(listConfigs(db, workspaceId), (configs) => {
      const explicit = explicitRules(rows).about(fact, values);
      const implicit = implicitRules(configs).about(fact, values);
      const owners = OWNERS.about(fact, values);
      if (explicit.length + implicit.length + owners.length === 0) return NONE;
      return [...explicit, ...implicit, ...owners].filter((rule) => refusedBy(rule, fact) === null);
    }),
  );
}

const NONE: readonly Rule[] = [];

const rulesOfRows = (rows: RuleRows): Rule[] =>
  rows.flatMap(({ id, name, template_id, settings }) =>
    id === null ? [] : [toRule({ id, name: name ?? '', template_id, settings: settings ?? '{}' })],
  );

/** A rule from its stored row. */
export function toRule({
  id,
  name,
  template_id,
  settings,
}: Pick<RuleRow, 'id' | 'name' | 'template_id' | 'settings'>): Rule {
  const { conditions, ...stored } = readSettings(settings);
  return { ...stored, key: id, name, template_id, conditions: storedConditions(conditions) };
}

/** The settings of a stored rule. */
export const readSettings = (json: string): RuleSettings => JSON.parse(json) as RuleSettings;

/**
 * The settings of integrations as rules: each sends what its `notify_on` and `filters` choose to the channel of the
 * integration.
 */
function rulesOfConfigs(rows: ConfigRows): Rule[] {
  return rows.flatMap(({ id, provider, config }) => {
    const { notify_on: wanted = [], filters } = JSON.parse(config ?? '{}') as IntegrationConfig;
    const notify_on = NOTIFICATION_TRIGGERS.filter((name) => wanted.includes(name));
    if (id === null || notify_on.length === 0) return [];
    const severity = filters?.severity as NonNullable<RuleSettings['filters']>['severity'];
    return [
      {
        ...PLAIN_SETTINGS,
        key: id,
        name: `Settings of ${provider ?? id}`,
        template_id: null,
        conditions: null,
        notify_on,
        // An empty list means no filter.
        filters: severity === undefined || severity.length === 0 ? null : { severity },
        destinations: [{ kind: 'integration', integration_id: id }],
      },
    ];
  });
}
