import { expect, it } from 'vitest';
import { parseSearch } from './search.ts';

const ID = 'evt_06f8xw2b3c4d5e6f7g8h9j0kmn';

it('reads words, texts in quotes, IDs and values of payloads', () => {
  expect(parseSearch(`deploy "two words" ${ID} payload.labels[0].name=bug payload["a.b"]="x y"`)).toEqual([
    { kind: 'text', text: 'deploy' },
    { kind: 'text', text: 'two words' },
    { kind: 'id', id: ID },
    { kind: 'value', path: ['labels', 0, 'name'], value: 'bug' },
    { kind: 'value', path: ['a.b'], value: 'x y' },
  ]);
});

it('reads texts to look for anywhere in payloads, as JSON writes them', () => {
  expect(parseSearch(String.raw`payload:4711 payload:"say \"hi\"" payload:`)).toEqual([
    { kind: 'payload', text: '4711' },
    { kind: 'payload', text: String.raw`say \"hi\"` },
    { kind: 'text', text: 'payload:' },
  ]);
});

it('reads what only looks like a path as text', () => {
  expect(parseSearch('a=b payload.x')).toEqual([
    { kind: 'text', text: 'a=b' },
    { kind: 'text', text: 'payload.x' },
  ]);
});

it('knows a value that holds an equals sign, and an empty one', () => {
  expect(parseSearch('payload.a=b=c payload.d=')).toEqual([
    { kind: 'value', path: ['a'], value: 'b=c' },
    { kind: 'value', path: ['d'], value: '' },
  ]);
});

it('explains why it refuses a search', () => {
  expect(parseSearch('  ')).toMatch(/^must name something/);
  expect(parseSearch('payload.labels[*].name=bug')).toMatch(/^must name one value/);
  expect(parseSearch('a b c d e f g h i')).toMatch(/^must have at most 8 words/);
});
