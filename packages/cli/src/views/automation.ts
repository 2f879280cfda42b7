import type {
  Automation,
  AutomationRun,
  AutomationRunDetail,
  AutomationTestResult,
} from '@hubline/contract/types';
import { view } from '../spec/view.ts';

/** The fields of an automation in a file. */
const fileFields = [
  'name',
  'description',
  'enabled',
  'trigger',
  'conditions',
  'actions',
  'throttle',
  'concurrency_key',
] as const;

export const automationView = view<Automation>()({
  noun: ['automation', 'automations'],
  fields: [
    'id',
    'workspace_id',
    ...fileFields,
    'signed',
    'created_by',
    'created_at',
    'updated_at',
    'last_run_at',
    'recent_runs',
    'next_run_at',
  ],
  columns: [
    'id',
    { path: 'name', flexible: true },
    'enabled',
    { path: 'trigger.event', header: 'TRIGGER' },
    { path: 'last_run_at', optional: true },
  ],
  id: 'id',
});

/** An automation as a file holds it. */
export type AutomationFile = Pick<Automation, (typeof fileFields)[number]>;

export const automationFileView = view<AutomationFile>()({
  noun: ['automation', 'automations'],
  fields: fileFields,
  columns: [{ path: 'name', flexible: true }, 'enabled', { path: 'trigger.event', header: 'TRIGGER' }],
  id: 'name',
});

const runFields = [
  'id',
  'automation_id',
  'automation_name',
  'workspace_id',
  'trigger',
  'event_id',
  'status',
  'error',
  'created_at',
  'started_at',
  'resume_at',
  'completed_at',
  'duration_ms',
] as const;

export const runView = view<AutomationRun>()({
  noun: ['run', 'runs'],
  fields: runFields,
  columns: ['id', 'status', 'trigger', { path: 'error', flexible: true }, 'created_at', 'duration_ms'],
  id: 'id',
});

export const runDetailView = view<AutomationRunDetail>()({
  noun: ['run', 'runs'],
  fields: [...runFields, 'steps'],
  columns: ['id', 'status', 'trigger', { path: 'error', flexible: true }, 'created_at', 'duration_ms'],
  id: 'id',
});

export const automationTestView = view<AutomationTestResult>()({
  noun: ['result', 'results'],
  fields: ['event_id', 'matched', 'refused_by', 'conditions', 'concurrency_key', 'results_of', 'steps'],
  columns: ['event_id', 'matched', 'refused_by'],
  id: 'event_id',
});
