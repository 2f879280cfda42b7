import { expect, it } from 'vitest';
import { EMPTY_SUMMARY, summaryJson } from './summary.ts';

it.each([
  ['nothing', {}],
  ['a text alone', { text: 'He said "go" \\ and left' }],
  ['a text that was cut', { text: 'The quick brown fox…' }],
  ['a text beyond Latin-1', { text: 'Ürgent 🚀…' }],
  ['an actor', { actor: { id: '1', name: 'octocat' }, text: 'pushed' }],
  ['a severity', { severity: 'high' as const, text: 'down' }],
])('the JSON of a summary of %s is that summary, its ellipsis escaped', (_, some) => {
  const summary = { ...EMPTY_SUMMARY, ...some };
  const json = summaryJson(summary);
  expect(JSON.parse(json)).toEqual(summary);
  expect(json).toBe(JSON.stringify(summary).replaceAll('…', String.raw`\u2026`));
});
