import { expect, it } from 'vitest';
import { type Choice, ChoiceIndex, indexedOnce } from './choice-index.ts';

const thing = (id: string, choice: Partial<Choice> = {}) => ({ id, triggers: ['event.created'], ...choice });
const indexOf = (things: ReturnType<typeof thing>[]) => new ChoiceIndex(things, (one) => one);
const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);

it('finds things by trigger and their narrowest choice, each once, and those that choose nothing', () => {
  const index = indexOf([
    thing('types', { types: ['push', 'issue', 'push'], sources: ['github'] }),
    thing('sources', { sources: ['github'], severities: ['high'] }),
    thing('severities', { severities: ['high', 'critical'] }),
    thing('all', { types: null }),
    thing('invited', { triggers: ['user.invited', 'user.invited'] }),
  ]);
  const event = { trigger: 'event.created', type: 'push', source: 'github', severity: 'high' };
  expect(ids(index.about(event))).toEqual(['types', 'sources', 'severities', 'all']);
  expect(ids(index.about({ ...event, type: 'other', source: 'ci', severity: 'low' }))).toEqual(['all']);
  expect(ids(index.about({ trigger: 'user.invited' }))).toEqual(['invited']);
  expect(index.about({ trigger: 'integration.connected' })).toEqual([]);
});

it('finds things by the value that their conditions need, and reads it once for all of them', () => {
  const needs = (id: string, oneOf: (string | boolean)[], field = 'data.environment') =>
    thing(id, { types: ['deploy'], needs: { field, path: field.split('.'), oneOf } });
  const index = indexOf([
    needs('staging', ['staging', 'staging']),
    needs('either', ['staging', 'production']),
    needs('merged', [true], 'data.merged'),
    thing('all', { types: ['deploy'] }),
  ]);
  let reads = 0;
  const about = (data: object) =>
    ids(
      index.about({ trigger: 'event.created', type: 'deploy' }, () => {
        reads += 1;
        return { data };
      }),
    );
  expect(about({ environment: 'staging' })).toEqual(['all', 'staging', 'either']);
  expect(reads).toBe(2);
  expect(about({ environment: 'production', merged: true })).toEqual(['all', 'either', 'merged']);
  expect(about({ environment: ['staging'], merged: 'true' })).toEqual(['all']);
  expect(about({})).toEqual(['all']);
});

it('an index of ten thousand rows is made once, and gives the one that is asked for', () => {
  let looked = 0;
  const find = indexedOnce(
    (rows: readonly Choice[]) => rows,
    (choice) => {
      looked += 1;
      return choice;
    },
  );
  const rows = Array.from({ length: 10_000 }, (_, n) => thing(`${n}`, { types: [`type-${n}`] }));
  for (let n = 0; n < 100; n++)
    expect(find(rows).about({ trigger: 'event.created', type: `type-${n}` })).toEqual([rows[n]]);
  expect(looked).toBe(10_000);
});
