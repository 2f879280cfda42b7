import { expect, it } from 'vitest';
import { topics } from './topics.ts';

it.each(topics.map(({ name, text }) => [name, text]))('help %s fits 80 columns', (_, text) => {
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
