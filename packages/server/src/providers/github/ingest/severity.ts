import { type Pointers, firstText } from '../../../domain/events/reading.ts';
import type { Severity } from '../../../domain/events/summary/summary.ts';

// Maps, because names and words come from outside: an object would also find `constructor`.
// GitHub's three vocabularies: advisories, code scanning, and the old vulnerability alerts.
const WORDS = new Map<string, Severity>(
  Object.entries<Severity>({
    critical: 'critical',
    high: 'high',
    error: 'high',
    medium: 'medium',
    moderate: 'medium',
    warning: 'medium',
    low: 'low',
    note: 'low',
  }),
);

const ALERTS = new Map<string, Pointers>(
  Object.entries({
    code_scanning_alert: ['/alert/rule/security_severity_level', '/alert/rule/severity'],
    dependabot_alert: ['/alert/security_advisory/severity', '/alert/security_vulnerability/severity'],
    repository_vulnerability_alert: ['/alert/severity'],
    security_advisory: ['/security_advisory/severity'],
  }),
);

const OUTCOMES = new Map<string, Pointers>(
  Object.entries({
    check_run: ['/check_run/conclusion'],
    check_suite: ['/check_suite/conclusion'],
    deployment_status: ['/deployment_status/state'],
    page_build: ['/build/status'],
    repository_import: ['/status'],
    status: ['/state'],
    workflow_job: ['/workflow_job/conclusion'],
    workflow_run: ['/workflow_run/conclusion'],
  }),
);

const FAILURES: ReadonlySet<string> = new Set([
  'failure',
  'error',
  'errored',
  'timed_out',
  'startup_failure',
]);

/** The urgency of a GitHub event: an alert's own rating, `high` for what failed, `none` for the rest. */
export function githubSeverity(event: string, payload: unknown): Severity {
  if (event === 'secret_scanning_alert') return 'high';
  const rating = firstText(payload, ALERTS.get(event) ?? []);
  if (rating !== null) return WORDS.get(rating.toLowerCase()) ?? 'none';
  const outcome = firstText(payload, OUTCOMES.get(event) ?? []);
  return outcome !== null && FAILURES.has(outcome) ? 'high' : 'none';
}
