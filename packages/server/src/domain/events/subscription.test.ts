import { NAMED_TRIGGERS, TRIGGERS } from '@hubline/contract';
import { expect, it } from 'vitest';
import type { Conditions } from '../conditions/conditions.ts';
import { plainScope } from '../conditions/scope.ts';
import {
  matches,
  refusedBy,
  resourceIdsOf,
  type Subscription,
  type SubscriptionFacts,
} from './subscription.ts';
import { EMPTY_SUMMARY, type SummaryEntity } from './summary/summary.ts';

const FACTS: SubscriptionFacts = {
  trigger: 'event.created',
  eventType: 'push',
  source: 'github',
  resourceIds: ['int_1', 'octo/web'],
  scope: () => plainScope('event.created', {}),
};
const ALL = {
  event_types: ['issues', 'push'],
  sources: ['github'],
  resource_ids: ['octo/api', 'octo/web'],
};
const answering = (holds: boolean): Conditions => ({ needs: null, matches: () => holds, explain: () => [] });

it.each<[string, Partial<Subscription>, Partial<SubscriptionFacts>, ReturnType<typeof refusedBy>]>([
  ['no filters', { filters: null }, {}, null],
  ['empty filters', { filters: {} }, {}, null],
  ['filters that all match', { filters: ALL }, {}, null],
  ['no events', { events: [] }, {}, 'events'],
  ['other events', { events: ['user.invited'] }, {}, 'events'],
  ['another type', { filters: ALL }, { eventType: 'Push' }, 'event_types'],
  ['no type', { filters: { event_types: ['push'] } }, { eventType: undefined }, 'event_types'],
  ['a list of no types', { filters: { event_types: [] } }, {}, 'event_types'],
  ['another source', { filters: ALL }, { source: 'gitlab' }, 'sources'],
  ['no source', { filters: { sources: ['github'] } }, { source: undefined }, 'sources'],
  ['a list of no sources', { filters: { sources: [] } }, {}, 'sources'],
  ['other IDs', { filters: ALL }, { resourceIds: ['int_1', 'octo'] }, 'resource_ids'],
  ['no IDs', { filters: ALL }, { resourceIds: [] }, 'resource_ids'],
  ['a list of no IDs', { filters: { resource_ids: [] } }, {}, 'resource_ids'],
  ['conditions that hold', { filters: ALL, conditions: answering(true) }, {}, null],
  ['conditions that do not hold', { filters: ALL, conditions: answering(false) }, {}, 'conditions'],
  [
    'empty filters and conditions that do not hold',
    { filters: {}, conditions: answering(false) },
    {},
    'conditions',
  ],
  // The first part that does not match is returned.
  ['two parts', { filters: ALL }, { source: 'gitlab', resourceIds: [] }, 'sources'],
] as never)('%s', (_, subscription, facts, part) => {
  const whole = { events: ['event.created'], filters: null, conditions: null, ...subscription };
  expect(refusedBy(whole, { ...FACTS, ...facts })).toBe(part);
  expect(matches(whole, { ...FACTS, ...facts })).toBe(part === null);
});

it.each(TRIGGERS)('%s is delivered where it is named, and by * unless it has to be named', (trigger) => {
  const refused = (events: string[]) =>
    refusedBy({ events, filters: null, conditions: null }, { ...FACTS, trigger });
  const isNamed = (NAMED_TRIGGERS as readonly string[]).includes(trigger);
  expect(refused([trigger])).toBeNull();
  expect(refused(['*'])).toBe(isNamed ? 'events' : null);
  expect(refused(['*', trigger])).toBeNull();
  expect(refused(TRIGGERS.filter((other) => other !== trigger))).toBe('events');
});

const entity = (id: string | null): SummaryEntity => ({ kind: 'repo', id, name: null, url: null });

it.each<[string, string | null, SummaryEntity | null, SummaryEntity | null, string[]]>([
  ['all three', 'int_1', entity('7'), entity('octo/web'), ['int_1', '7', 'octo/web']],
  ['no integration', null, entity('7'), entity('octo/web'), ['7', 'octo/web']],
  ['no subject', 'int_1', null, entity('octo/web'), ['int_1', 'octo/web']],
  ['no container', 'int_1', entity('7'), null, ['int_1', '7']],
  ['things without an ID', 'int_1', entity(null), entity(null), ['int_1']],
  ['nothing', null, null, null, []],
])('the IDs of an event with %s', (_, integrationId, subject, container, ids) => {
  expect(resourceIdsOf(integrationId, { ...EMPTY_SUMMARY, subject, container })).toEqual(ids);
});
