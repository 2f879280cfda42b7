import { z } from 'zod';
import { AUTOMATION_TRIGGERS, RUN_STATUSES, STEP_STATUSES } from '../../constants/statuses.ts';
import { timestamp, timestampInput } from '../../text.ts';
import { id, jsonObject, pageQuery } from '../common.ts';

/** The statuses of a run. */
export const runStatus = z.enum(RUN_STATUSES).meta({ id: 'RunStatus', description: 'Status of a run.' });

/** Body of `POST /workspaces/{id}/automations/{automationId}/run`. */
export const AutomationRunStart = z
  .strictObject({ event_id: id('event').optional().describe('Event for the run. Default: none.') })
  .describe('A manual start. The trigger and the conditions are not checked.')
  .meta({ id: 'AutomationRunStart' });

/** One run of an automation. */
export const AutomationRun = z
  .object({
    id: z.string().describe('`run_` and 26 characters.'),
    automation_id: z.string().describe('Automation of the run.'),
    automation_name: z.string().describe('Name of the automation when the run was created.'),
    workspace_id: z.string().describe('Owning workspace.'),
    trigger: z.enum(AUTOMATION_TRIGGERS).describe('Trigger that started the run.'),
    event_id: z.string().nullable().describe('Event that started the run; `null` for none.'),
    status: runStatus.describe('Status of the run.'),
    error: z.string().nullable().describe('Reason why the run failed or was skipped; otherwise `null`.'),
    created_at: timestamp.describe('Time at which the run was triggered.'),
    started_at: timestamp.nullable().describe('Start of the first step.'),
    resume_at: timestamp.nullable().describe('Time at which the run continues; `null` unless it waits.'),
    completed_at: timestamp.nullable().describe('Time at which the run ended; `null` before.'),
    duration_ms: z.int().nullable().describe('Time from the first step to the end, in milliseconds.'),
  })
  .describe('One run of an automation.')
  .meta({ id: 'AutomationRun' });

const RunStep = z
  .object({
    action_id: z.string().describe('ID of the action.'),
    type: z.string().describe('Type of the action.'),
    status: z
      .enum(STEP_STATUSES)
      .meta({ id: 'StepStatus', description: 'Status of a step.' })
      .describe('Status of the step.'),
    attempt: z.int().describe('Number of attempts so far.'),
    started_at: timestamp.nullable().describe('Start of the last attempt.'),
    completed_at: timestamp.nullable().describe('Time at which the step ended; `null` before.'),
    request: jsonObject.nullable().describe('The request, rendered, with secrets masked.'),
    response: jsonObject.nullable().describe('The response, cut to 2 KiB.'),
    error: z.string().nullable().describe('Reason why the last attempt failed; otherwise `null`.'),
  })
  .describe('One step of a run.')
  .meta({ id: 'RunStep' });

/** A run with its steps. */
export const AutomationRunDetail = AutomationRun.extend({
  steps: z.array(RunStep).describe('Steps that have begun, in their order.'),
})
  .describe('A run with its steps.')
  .meta({ id: 'AutomationRunDetail' });

/** Query of the list of runs. */
export const runQuery = {
  status: runStatus.optional().describe('Only runs with this status.'),
  event_id: id('event').optional().describe('Only runs of this event.'),
  since: timestampInput.optional().describe('Only runs created after this time.'),
  ...pageQuery,
};
