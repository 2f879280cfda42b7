import { expect, it } from 'vitest';
import { selectFields } from './fields.ts';

const item = { id: 'evt_1', payload: { repository: { name: 'hub', stars: 7 }, ref: 'main' }, list: null };

it.each([
  [['id'], { id: 'evt_1' }],
  [['payload.ref'], { payload: { ref: 'main' } }],
  [['payload.repository.name'], { payload: { repository: { name: 'hub' } } }],
  [
    ['payload.repository.name', 'id', 'payload.repository.stars', 'payload.ref'],
    { payload: { repository: { name: 'hub', stars: 7 }, ref: 'main' }, id: 'evt_1' },
  ],
  [['payload.repository.owner.name'], { payload: { repository: { owner: { name: null } } } }],
  [['list.name', 'gone'], { list: { name: null }, gone: null }],
])('%j keeps each field at its place', (fields, selected) => {
  expect(selectFields(item, fields)).toEqual(selected);
});
