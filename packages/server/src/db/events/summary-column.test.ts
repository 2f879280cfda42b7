import { describe, expect, it } from 'vitest';
import { EMPTY_SUMMARY, summaryJson } from '../../domain/events/summary/summary.ts';
import { storedSummary, summaryOf } from './summary-column.ts';

const REPOSITORY = { kind: 'repo', id: '1', name: 'web', url: null };

describe('storedSummary', () => {
  it.each<[what: string, json: string, stored: number]>([
    ['a text alone', summaryJson({ ...EMPTY_SUMMARY, text: 'Deployed' }), 20],
    ['nothing', summaryJson(EMPTY_SUMMARY), 14],
    [
      'a text that looks like the end',
      summaryJson({ ...EMPTY_SUMMARY, text: ',"severity":"none","occurred_at":null}' }),
      56,
    ],
  ])('leaves out what is the same each time: %s', (_, json, stored) => {
    expect(storedSummary(json)).toHaveLength(stored);
    expect(JSON.parse(storedSummary(json)).text).toBe(JSON.parse(json).text);
    expect(summaryOf(storedSummary(json))).toBe(json);
  });

  it.each<[what: string, json: string]>([
    ['a severity', summaryJson({ ...EMPTY_SUMMARY, text: 'Deployed', severity: 'high' })],
    ['a container', summaryJson({ ...EMPTY_SUMMARY, container: REPOSITORY, text: 'Deployed' })],
    ['a time', summaryJson({ ...EMPTY_SUMMARY, text: 'Deployed', occurred_at: '2026-11-23T12:00:00.000Z' })],
    ['the text in front', JSON.stringify({ text: 'Deployed', severity: 'none' })],
  ])('keeps every other summary as it is: %s', (_, json) => {
    expect(storedSummary(json)).toBe(json);
    expect(summaryOf(json)).toBe(json);
  });
});
