import { expect, it } from 'vitest';
import { countTests } from './count-tests.ts';

const report = (
  counts: { passed?: number; failed?: number; pending?: number },
  testResults: object[] = [],
) => ({
  numPassedTests: counts.passed ?? 0,
  numFailedTests: counts.failed ?? 0,
  numPendingTests: counts.pending ?? 0,
  testResults,
});

it('counts what passed, failed and was skipped', () => {
  const files = [{ status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] }];
  expect(countTests(report({ passed: 4, failed: 1, pending: 2 }, files), 1)).toEqual({
    passed: 4,
    failed: 1,
    skipped: 2,
  });
});

it('counts a file that fails to load as one failure', () => {
  const files = [{ status: 'failed', assertionResults: [] }];
  expect(countTests(report({ passed: 4 }, files), 1)).toMatchObject({ passed: 4, failed: 1 });
});

it('counts a file whose hook fails after its tests passed', () => {
  const files = [{ status: 'failed', assertionResults: [{ status: 'passed' }] }];
  expect(countTests(report({ passed: 1 }, files), 1)).toMatchObject({ passed: 1, failed: 1 });
});

it('counts an exit code that no test explains, such as an unhandled rejection', () => {
  expect(countTests(report({ passed: 4 }), 1)).toMatchObject({ passed: 4, failed: 1 });
});

it('counts being killed after the report was written', () => {
  expect(countTests(report({ passed: 4 }), null)).toMatchObject({ failed: 1 });
});

it.each([undefined, null, 'text', {}, []])(
  'counts a missing or foreign report (%j) as a failure',
  (value) => {
    expect(countTests(value, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  },
);
