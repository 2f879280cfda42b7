import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import {
  Automation,
  AutomationCreate,
  AutomationTest,
  AutomationTestResult,
  AutomationUpdate,
} from '../schemas/automations/automations.ts';
import {
  AutomationRun,
  AutomationRunDetail,
  AutomationRunStart,
  runQuery,
} from '../schemas/automations/automation-runs.ts';
import { id, page } from '../schemas/common.ts';
import { READS_EVENT, READS_EVENT_UNLESS_SUPPLIED, from, inWorkspace } from './access.ts';
import { pageOnly, workspaceParams } from './params.ts';

const automationParams = z.object({ id: id('workspace'), automationId: id('automation') });
const runParams = z.object({ id: id('workspace'), automationId: id('automation'), runId: id('run') });

export const automationEndpoints = {
  'automations.list': {
    operationId: 'listAutomations',
    method: 'GET',
    path: '/workspaces/{id}/automations',
    summary: 'List automations.',
    description: 'Lists the automations of a workspace, oldest first.',
    access: inWorkspace(from.path, 'view', 'automations:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(Automation),
    status: 200,
    write: false,
  },
  'automations.create': {
    operationId: 'createAutomation',
    method: 'POST',
    path: '/workspaces/{id}/automations',
    summary: 'Create an automation.',
    description:
      'Creates an automation: when its trigger fires and its conditions are met, its actions run one after the other. Templates, conditions, patterns and inputs are checked here. An enabled automation with the action `create_event` needs the scope `events:write`, too.',
    errors: {
      not_found: 'An action or the trigger names an integration that this workspace does not have.',
      unprocessable_entity:
        'A URL is not allowed, an integration cannot do what an action asks, or the workspace has 10,000 automations.',
    },
    access: inWorkspace(from.path, 'edit_automations', 'automations:write'),
    params: workspaceParams,
    body: AutomationCreate,
    response: Automation,
    status: 201,
    write: true,
  },
  'automations.get': {
    operationId: 'getAutomation',
    method: 'GET',
    path: '/workspaces/{id}/automations/{automationId}',
    summary: 'Read an automation.',
    description: 'Returns an automation, without its secret.',
    access: inWorkspace(from.path, 'view', 'automations:read'),
    params: automationParams,
    response: Automation,
    status: 200,
    write: false,
  },
  'automations.update': {
    operationId: 'updateAutomation',
    method: 'PATCH',
    path: '/workspaces/{id}/automations/{automationId}',
    summary: 'Update an automation.',
    description:
      'Changes the fields in the body. Runs that have begun continue with the actions that they began with. An enabled automation with the action `create_event` needs the scope `events:write`, too.',
    errors: {
      not_found: 'An action or the trigger names an integration that this workspace does not have.',
      unprocessable_entity: 'A URL is not allowed, or an integration cannot do what an action asks.',
    },
    access: inWorkspace(from.path, 'edit_automations', 'automations:write'),
    params: automationParams,
    body: AutomationUpdate,
    response: Automation,
    status: 200,
    write: true,
  },
  'automations.delete': {
    operationId: 'deleteAutomation',
    method: 'DELETE',
    path: '/workspaces/{id}/automations/{automationId}',
    summary: 'Delete an automation.',
    description: 'Deletes the automation with its runs. An action in progress is not stopped.',
    access: inWorkspace(from.path, 'edit_automations', 'automations:write'),
    params: automationParams,
    status: 204,
    write: true,
  },
  'automations.test': {
    operationId: 'testAutomation',
    method: 'POST',
    path: '/workspaces/{id}/automations/{automationId}/test',
    summary: 'Try an automation.',
    description:
      'Tries the automation on a past or a sample event: shows what each condition finds and what each action would do. Nothing is sent. `changes` are tried without being saved.',
    errors: {
      not_found:
        '`event_id` or `changes` names an event or an integration that this workspace does not have.',
      unprocessable_entity:
        '`changes` name a URL that is not allowed, or an integration that cannot do what an action asks.',
    },
    access: {
      ...inWorkspace(from.path, 'edit_automations', 'automations:write'),
      also: READS_EVENT_UNLESS_SUPPLIED,
    },
    params: automationParams,
    body: AutomationTest,
    response: AutomationTestResult,
    status: 200,
    write: true,
  },
  'automations.run': {
    operationId: 'runAutomation',
    method: 'POST',
    path: '/workspaces/{id}/automations/{automationId}/run',
    summary: 'Run an automation.',
    description:
      'Starts a run by hand, even of a disabled automation. The trigger and the conditions are not checked. An automation with the action `create_event` needs the scope `events:write`, too.',
    errors: {
      not_found: '`event_id` does not name an event of this workspace.',
    },
    access: {
      ...inWorkspace(from.path, 'edit_automations', 'automations:write'),
      also: { scope: 'events:read', having: 'event_id' },
    },
    params: automationParams,
    body: AutomationRunStart,
    response: AutomationRun,
    status: 202,
    write: true,
  },
  'automations.listRuns': {
    operationId: 'listAutomationRuns',
    method: 'GET',
    path: '/workspaces/{id}/automations/{automationId}/runs',
    summary: 'List the runs of an automation.',
    description: 'Lists the runs of an automation, newest first, filtered by status, event and time.',
    access: inWorkspace(from.path, 'view', 'automations:read'),
    params: automationParams,
    query: z.object(runQuery),
    response: page(AutomationRun),
    status: 200,
    write: false,
  },
  'automations.getRun': {
    operationId: 'getAutomationRun',
    method: 'GET',
    path: '/workspaces/{id}/automations/{automationId}/runs/{runId}',
    summary: 'Read a run.',
    description: 'Returns a run with the request, response and error of each step.',
    access: { ...inWorkspace(from.path, 'view', 'automations:read'), also: READS_EVENT },
    params: runParams,
    response: AutomationRunDetail,
    status: 200,
    write: false,
  },
  'automations.retryRun': {
    operationId: 'retryAutomationRun',
    method: 'POST',
    path: '/workspaces/{id}/automations/{automationId}/runs/{runId}/retry',
    summary: 'Retry a run.',
    description:
      'Continues a failed run with the step that failed, and a cancelled run with its next step. Completed steps are not repeated.',
    errors: {
      unprocessable_entity: 'The run has neither failed nor been cancelled.',
    },
    access: inWorkspace(from.path, 'edit_automations', 'automations:write'),
    params: runParams,
    response: AutomationRun,
    status: 200,
    write: true,
  },
  'automations.cancelRun': {
    operationId: 'cancelAutomationRun',
    method: 'POST',
    path: '/workspaces/{id}/automations/{automationId}/runs/{runId}/cancel',
    summary: 'Cancel a run.',
    description: 'Ends a run before its next step. An action in progress is not stopped.',
    errors: {
      unprocessable_entity: 'The run has ended.',
    },
    access: inWorkspace(from.path, 'edit_automations', 'automations:write'),
    params: runParams,
    response: AutomationRun,
    status: 200,
    write: true,
  },
} as const satisfies Record<string, Endpoint>;
