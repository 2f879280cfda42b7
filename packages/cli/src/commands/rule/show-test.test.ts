import type { RuleTestResult } from '@hubline/contract/types';
import { expect, it } from 'vitest';
import { createStyle } from '../../terminal/io.ts';
import { testIo } from '../../test/test-io.ts';
import { showTest } from './show-test.ts';

const RESULT: RuleTestResult = {
  event_id: null,
  matched: false,
  refused_by: 'types',
  conditions: null,
  rendered: {
    subject: 'Deployed',
    text: 'to production\n',
    markdown: '',
    html: '',
    slack_blocks: [],
    discord_embeds: [],
    adaptive_card: {},
    problems: [],
  },
  destinations: [],
  send_at: null,
  dedupe_key: null,
};

const shown = (changes: Partial<RuleTestResult>): string =>
  showTest(
    { ...RESULT, ...changes },
    {
      style: createStyle(testIo().stdout, { when: 'never', env: {} }),
      width: 80,
      unicode: true,
      table: () => '',
    },
  ).replaceAll(/ {2,}/g, ' ');

it('a test of a rule shows only what it has', () => {
  expect(shown({})).toBe(
    'A sample event does not match: types. Nothing was sent.\nto nobody\n\nDeployed\nto production\n',
  );
});

it('a test of a rule shows when it would be sent, its key, and what would go wrong', () => {
  const text = shown({
    destinations: [{ kind: 'slack', to: '#ops', problem: 'the integration is disconnected' }],
    send_at: '2026-11-29T07:00:00.000Z',
    dedupe_key: 'deploy prod',
    rendered: { ...RESULT.rendered, problems: [{ field: 'text', issue: 'takes too long' }] },
  });
  expect(text.split('\n').slice(1, 5)).toEqual([
    'to slack #ops: the integration is disconnected',
    'at 2026-11-29T07:00:00.000Z',
    'dedupe key deploy prod',
    'text: takes too long',
  ]);
});
