import { describe, expect, it } from 'vitest';
import { editDistance, nearestName } from './nearest-name.ts';

describe('the distance of two names', () => {
  it.each([
    ['', '', 0],
    ['url', 'url', 0],
    ['', 'url', 3],
    ['evnts', 'events', 1],
    ['eventss', 'events', 1],
    ['evemts', 'events', 1],
    ['evnets', 'events', 1],
    ['role', 'rule', 1],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['secret', 'status', 5],
  ])('between %j and %j is %i, both ways', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('the nearest name', () => {
  const known = ['event_types', 'sources', 'resource_ids', 'url', 'secret', 'workspace_id'];

  it.each([
    ['event_type', 'event_types'],
    ['eventTypes', 'event_types'],
    ['EVENT-TYPES', 'event_types'],
    ['types', 'event_types'],
    ['soruces', 'sources'],
    ['ressource_id', 'resource_ids'],
    ['uri', 'url'],
    ['signing_secret', 'secret'],
    ['workspaceId', 'workspace_id'],
  ])('for %j is %j', (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });

  it.each(['', 'x', 'id', 'active', 'description', 'ur'.repeat(40)])('for %j is nothing', (name) => {
    expect(nearestName(name, known)).toBeUndefined();
  });

  it('is the nearer of two', () => {
    expect(nearestName('statuss', ['stats', 'status', 'statuses'])).toBe('status');
  });
});
