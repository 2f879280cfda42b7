/** Passed and failed tests of vitest's JSON report, counted so that a run that did not work never counts as passed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export function countTests(report: unknown, exitCode: number | null): Count {
  // Killed, crashed, or a configuration that does not load.
  if (!isReport(report)) return { passed: 0, failed: 1, skipped: 0 };
  // A file that fails outside its tests (an import, a hook) fails without a failed test.
  const files = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + files.length;
  // An unhandled rejection, or no test at all, shows only in the exit code.
  const unexplained = failed === 0 && exitCode !== 0 ? 1 : 0;
  return { passed: report.numPassedTests, failed: failed + unexplained, skipped: report.numPendingTests };
}

function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && 'numPassedTests' in value && 'testResults' in value;
}
