import { expect, it } from 'vitest';
import { type Fact, PLAIN_SETTINGS, refusedBy, type RulePart, type RuleSettings } from './rule.ts';

const FACT: Fact = {
  trigger: 'event.created',
  type: 'push',
  source: 'github',
  integrationId: 'int_1',
  severity: 'high',
};
const NAMED: Partial<RuleSettings> = {
  types: ['push'],
  sources: ['github'],
  integration_ids: ['int_1'],
  filters: { severity: ['critical', 'high'] },
};
const FAILING: Fact = { trigger: 'webhook.failing' };
const both = { notify_on: ['event.created' as const, 'webhook.failing' as const] };

it.each<[string, Partial<RuleSettings>, Partial<Fact>, RulePart | null]>([
  ['a rule without filters takes every event', {}, {}, null],
  ['a rule takes an event that all its filters name', NAMED, {}, null],
  ['a rule refuses another trigger', { notify_on: ['user.invited'] }, {}, 'notify_on'],
  ['a rule on nothing refuses everything', { notify_on: [] }, {}, 'notify_on'],
  ['another type', NAMED, { type: 'Push' }, 'types'],
  ['no type at all', {}, { type: undefined }, null],
  ['a list of no types', { types: [] }, {}, 'types'],
  ['another source', NAMED, { source: 'gitlab' }, 'sources'],
  ['no source at all', { sources: ['github'] }, { source: undefined }, 'sources'],
  ['a list of no sources', { sources: [] }, {}, 'sources'],
  ['another integration', NAMED, { integrationId: 'int_2' }, 'integration_ids'],
  ['no integration', NAMED, { integrationId: null }, 'integration_ids'],
  ['another severity', NAMED, { severity: 'low' }, 'filters'],
  ['no severity', NAMED, { severity: undefined }, 'filters'],
  ['filters without a severity', { filters: {} }, { severity: undefined }, null],
  // The first part that does not match is returned.
  ['two parts', NAMED, { type: 'issues', source: 'gitlab' }, 'types'],
  ['the trigger and more', { ...NAMED, notify_on: [] }, { type: 'issues' }, 'notify_on'],
] as never)('%s', (_, rule, fact, part) => {
  const settings = { ...PLAIN_SETTINGS, notify_on: ['event.created' as const], destinations: [], ...rule };
  expect(refusedBy(settings, { ...FACT, ...fact })).toBe(part);
});

it.each<[string, Partial<RuleSettings>, RulePart | null]>([
  ['no filters', {}, null],
  // Only events have a severity.
  ['a severity', { filters: { severity: ['critical'] } }, null],
  // A value that is missing matches no filter.
  ['types', { types: ['push'] }, 'types'],
  ['sources', { sources: ['github'] }, 'sources'],
  ['integrations', { integration_ids: ['int_1'] }, 'integration_ids'],
])('a trigger without an event, and a rule with %s', (_, rule, part) => {
  expect(refusedBy({ ...PLAIN_SETTINGS, ...both, destinations: [], ...rule }, FAILING)).toBe(part);
});
