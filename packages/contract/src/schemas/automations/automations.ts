import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { AUTOMATION_TRIGGERS } from '../../constants/statuses.ts';
import { displayName, eventName, text, timestamp } from '../../text.ts';
import { dictionary, evenIfWrong, id, integer, jsonObject, list } from '../common.ts';
import { Conditions, ConditionVerdict } from './conditions.ts';
import { VendorActionName } from '../integrations/providers.ts';
import { runStatus } from './automation-runs.ts';

const names = list(text(1, 100), {
  min: 1,
  rule: 'must not be empty; leave it out for everything',
  max: LIMITS.filterMax,
});
const template = (max: number) => text(1, max);

const EVENT_FIELDS = ['types', 'sources', 'integration_ids'] as const;
const SCHEDULE_FIELDS = ['cron', 'timezone'] as const;

/** The trigger of an automation, with its settings. */
const AutomationTrigger = z
  .strictObject({
    event: z
      .enum(AUTOMATION_TRIGGERS)
      .meta({ id: 'AutomationTriggerName', description: 'Something that starts an automation.' })
      .describe('Trigger, such as `event.created`.'),
    types: names.optional().describe('Only events of these types. With `event.created`.'),
    sources: names.optional().describe('Only events from these sources. With `event.created`.'),
    integration_ids: list(id('integration'), {
      min: 1,
      rule: 'must not be empty; leave it out for everything',
      max: LIMITS.filterMax,
    })
      .optional()
      .describe('Only events of these integrations. With `event.created`.'),
    cron: text(1, 100)
      .optional()
      .describe('Cron expression of five fields, such as `0 9 * * 1`. With `schedule`.'),
    timezone: text(1, 100).optional().describe('IANA time zone of `cron`. Default `UTC`.'),
  })
  .superRefine((trigger, context) => {
    const { event, cron } = trigger;
    if (!AUTOMATION_TRIGGERS.includes(event)) return;
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (event === 'schedule' && cron === undefined)
      refuse('cron', 'is required, because event is schedule: five fields, such as 0 9 * * 1');
    const stray = [
      ...(event === 'event.created' ? [] : EVENT_FIELDS),
      ...(event === 'schedule' ? [] : SCHEDULE_FIELDS),
    ].filter((name) => trigger[name] !== undefined);
    for (const name of stray) refuse(name, `does not apply to ${event}; leave it out`);
  }, evenIfWrong)
  .describe('The trigger of an automation, with its settings.')
  .meta({ id: 'AutomationTrigger' });

const common = {
  id: text(1, 40)
    .regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and _, and begin with a letter')
    .optional()
    .describe(
      'Name of the step in `steps.<id>`. Default: `a1` for the first step, `a2` for the second, and so on.',
    ),
  if: Conditions.optional().describe(
    'Conditions of the step. They can also use `steps.<id>.status` of earlier steps.',
  ),
  on_error: z
    .enum(['stop', 'continue'])
    .optional()
    .describe('`continue` runs the next step even if this one fails. Default `stop`.'),
  retries: integer(0, 4).optional().describe('Retries after a temporary failure. Default 2.'),
};

const inputText = text(0, LIMITS.templateMax);

/** One input of an action in a tool. */
const actionInput = z.union([inputText, z.int(), list(inputText, { max: LIMITS.filterMax })], {
  error: `must be a string of at most ${LIMITS.templateMax} characters, a whole number, or a list of at most ${LIMITS.filterMax} strings`,
});

/** One step of an automation. */
const Action = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('send_notification').describe('Sends a message through an integration.'),
        ...common,
        integration_id: id('integration'),
        channel: template(1_000)
          .optional()
          .describe('Destination, a template. Default: the channel of the integration.'),
        text: template(LIMITS.templateMax)
          .optional()
          .describe('The message, a Liquid template. Required without `template_id`.'),
        template_id: id('notificationTemplate')
          .optional()
          .describe('The message, a notification template: the tool gets the richest form that it can show.'),
      })
      .refine(({ text: own, template_id: of }) => own !== undefined || of !== undefined, {
        path: ['text'],
        error: 'is required without template_id',
        ...evenIfWrong,
      })
      .refine(({ text: own, template_id: of }) => own === undefined || of === undefined, {
        path: ['text'],
        error: 'must be left out beside template_id; keep one of them',
        ...evenIfWrong,
      })
      .describe('Sends a message through an integration.')
      .meta({ id: 'SendNotificationAction' }),
    z
      .strictObject({
        type: z.literal('call_webhook').describe('Calls an HTTPS URL.'),
        ...common,
        url: text(1, LIMITS.urlMax).describe('HTTPS target, reachable from the internet.'),
        method: z
          .enum(['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])
          .optional()
          .describe('HTTP method. Default `POST`.'),
        headers: dictionary(text(0, LIMITS.credentialMax), 20)
          .optional()
          .describe('Additional headers. Anyone who can read the automation can read them.'),
        payload: jsonObject
          .optional()
          .describe(
            'Body, JSON whose strings are Liquid templates. Default: the event, the automation and the run.',
          ),
        timeout_seconds: integer(1, 10).optional().describe('Seconds to wait for the response. Default 10.'),
      })
      .describe('Calls an HTTPS URL, signed with the secret of the automation.')
      .meta({ id: 'CallWebhookAction' }),
    z
      .strictObject({
        type: z.literal('create_event').describe('Publishes an event.'),
        ...common,
        event_type: eventName.describe('Type of the new event.'),
        source: eventName.optional().describe('Name of the producer. Default `automation`.'),
        payload: jsonObject.describe('Event data, JSON whose strings are Liquid templates.'),
      })
      .describe('Publishes an event.')
      .meta({ id: 'CreateEventAction' }),
    z
      .strictObject({
        type: z.literal('wait').describe('Waits.'),
        id: common.id,
        if: common.if,
        seconds: integer(1, LIMITS.waitMaxSeconds).describe('Seconds to wait, at most 30 days.'),
      })
      .describe('Waits.')
      .meta({ id: 'WaitAction' }),
    z
      .strictObject({
        type: VendorActionName.describe('Acts in a connected tool.'),
        ...common,
        integration_id: id('integration'),
        input: dictionary(actionInput, 10).describe(
          'Inputs of the action, whose strings are Liquid templates; `GET /integrations` lists them with their types.',
        ),
      })
      .describe('Acts in a connected tool.')
      .meta({ id: 'VendorAction' }),
  ])
  .describe('One step of an automation.')
  .meta({ id: 'AutomationAction' });

const Throttle = z
  .strictObject({
    max_runs: integer(1, 1_000).describe('Maximum number of runs within the window.'),
    per_seconds: integer(1, 86_400).describe('Length of the window, in seconds.'),
  })
  .describe('The maximum rate of runs. Events beyond it are skipped.')
  .meta({ id: 'AutomationThrottle' });

const actions = list(Action, { min: 1, rule: 'must have at least one action', max: LIMITS.actionsMax });
const description = text(0, 500).nullable();
const concurrencyKey = template(500).nullable();
const secret = text(1, LIMITS.secretMax).nullable();

/** Body of `POST /workspaces/{id}/automations`. */
export const AutomationCreate = z
  .strictObject({
    name: displayName.describe('Display name.'),
    description: description.optional().describe('Purpose, at most 500 characters.'),
    enabled: z.boolean().optional().describe('False: triggers start no runs. Default true.'),
    trigger: AutomationTrigger.describe('The trigger.'),
    conditions: Conditions.nullable().optional().describe('Conditions of a run. Default: none.'),
    actions: actions.describe('Steps, in their order.'),
    throttle: Throttle.nullable().optional().describe('Maximum rate of runs. Default: no limit.'),
    concurrency_key: concurrencyKey
      .optional()
      .describe('Template: runs with the same key run one after the other. Default: all run at once.'),
    secret: secret.optional().describe('Secret that signs the calls of `call_webhook`. Never returned.'),
  })
  .describe('An automation to create.')
  .meta({ id: 'AutomationCreate' });

/** Body of `PATCH /workspaces/{id}/automations/{automationId}`. */
export const AutomationUpdate = z
  .strictObject({
    name: displayName.optional().describe('New name.'),
    description: description.optional().describe('New description.'),
    enabled: z.boolean().optional().describe('False: triggers start no further runs.'),
    trigger: AutomationTrigger.optional().describe('New trigger.'),
    conditions: Conditions.nullable().optional().describe('New conditions; `null` removes them.'),
    actions: actions.optional().describe('New steps. Runs that have begun keep the old ones.'),
    throttle: Throttle.nullable().optional().describe('New maximum rate; `null` removes it.'),
    concurrency_key: concurrencyKey.optional().describe('New key; `null` removes it.'),
    secret: secret.optional().describe('New secret; `null` removes it.'),
  })
  .describe('Changes to an automation.')
  .meta({ id: 'AutomationUpdate' });

/** A trigger, conditions and the actions that follow. Specification, "Automations" 1. */
export const Automation = z
  .object({
    id: z.string().describe('`aut_` and 26 characters.'),
    workspace_id: z.string().describe('Owning workspace.'),
    name: z.string().describe('Display name.'),
    description: z.string().nullable().describe('Purpose.'),
    enabled: z.boolean().describe('False: triggers start no runs.'),
    trigger: AutomationTrigger.describe('The trigger.'),
    conditions: Conditions.nullable().describe('Conditions of a run; `null` for none.'),
    actions: z.array(Action).describe('Steps, in their order.'),
    throttle: Throttle.nullable().describe('Maximum rate of runs; `null` for no limit.'),
    concurrency_key: z.string().nullable().describe('Template of the concurrency key; `null` for none.'),
    signed: z.boolean().describe('True if calls of `call_webhook` are signed.'),
    created_by: z.string().describe('User who created the automation.'),
    created_at: timestamp.describe('Creation time.'),
    updated_at: timestamp.describe('Time of the last change.'),
    last_run_at: timestamp.nullable().describe('Start of the last run; `null` for none.'),
    recent_runs: z.array(runStatus).describe('Statuses of the last 10 runs, newest first.'),
    next_run_at: timestamp.nullable().describe('Next run by the schedule; `null` without one.'),
  })
  .describe('A trigger, conditions and the actions that follow.')
  .meta({ id: 'Automation' });

const sampleEvent = z
  .strictObject({
    type: text(1, 100).describe('Event type.'),
    source: text(1, 100).optional().describe('Source. Default `api`.'),
    payload: jsonObject.describe('Event data.'),
  })
  .describe('A sample event for a dry run.')
  .meta({ id: 'SampleEvent' });

/** Body of `POST /workspaces/{id}/automations/{automationId}/test`. */
export const AutomationTest = z
  .strictObject({
    event_id: id('event')
      .optional()
      .describe(
        'Past event to try. Default: the newest of the workspace; for a schedule, an invitation or a new integration, sample `data` of that trigger.',
      ),
    event: sampleEvent.optional().describe('Sample event to try instead of a past one.'),
    changes: AutomationUpdate.optional().describe(
      'Changes to try without saving them. They are checked as if they were saved.',
    ),
  })
  .describe('A dry run.')
  .meta({ id: 'AutomationTest' });

const TestedStep = z
  .object({
    action_id: z.string().describe('ID of the action.'),
    type: z.string().describe('Type of the action.'),
    runs: z
      .boolean()
      .describe(
        'True if the conditions of the step are met, or need results that no run has produced yet. Earlier steps count as succeeded.',
      ),
    conditions: z.array(ConditionVerdict).nullable().describe('Verdicts on its `if`; `null` without one.'),
    request: jsonObject
      .nullable()
      .describe('The rendered request of the step; `null` if it cannot be rendered.'),
    error: z.string().nullable().describe('Reason why it cannot be rendered; otherwise `null`.'),
  })
  .describe('A step of a dry run.')
  .meta({ id: 'TestedStep' });

/** Response of `POST /workspaces/{id}/automations/{automationId}/test`. */
export const AutomationTestResult = z
  .object({
    event_id: z.string().nullable().describe('The event that was tried; `null` for a sample.'),
    matched: z.boolean().describe('True if the event would start a run.'),
    refused_by: z
      .enum(['trigger', 'types', 'sources', 'integration_ids', 'conditions'])
      .meta({ id: 'AutomationFilterName', description: 'A part of an automation that chooses events.' })
      .nullable()
      .describe('First part that does not match; `null` if all do.'),
    conditions: z.array(ConditionVerdict).nullable().describe('Verdicts; `null` without conditions.'),
    concurrency_key: z.string().nullable().describe('The rendered key; `null` without one.'),
    results_of: z
      .string()
      .nullable()
      .describe(
        'Run whose results stand in for those of the steps: the last successful one, of this event if there is one. If no run has succeeded, this and the results are `null`.',
      ),
    steps: z.array(TestedStep).describe('Every step, with its rendered request.'),
  })
  .describe('The result of a dry run. Nothing was sent.')
  .meta({ id: 'AutomationTestResult' });
