import type { EnvelopeOf } from '../../schemas/webhooks/envelopes.ts';
import { GONE_MESSAGE, type Trigger } from '../../constants/statuses.ts';
import { pullRequestPayload, pullRequestSummary } from '../events.ts';
import { ids } from '../ids.ts';

/** The envelope that delivers the pull request. */
export const deliveredEvent: EnvelopeOf<'event.created'> = {
  id: ids.delivery,
  type: 'event.created',
  created_at: '2026-11-02T10:15:29.000Z',
  workspace_id: ids.workspace,
  data: {
    integration_id: ids.github,
    integration_type: 'github',
    event_source: 'github',
    event_id: ids.pullRequest,
    event_type: 'pull_request',
    summary: pullRequestSummary,
    payload: pullRequestPayload,
  },
  event: { id: ids.pullRequest, timestamp: '2026-11-02T10:15:29.000Z' },
};

/** One envelope of each trigger. */
export const envelopeExamples: { readonly [Name in Trigger]: EnvelopeOf<Name> } = {
  'event.created': deliveredEvent,
  'integration.connected': {
    id: 'dlv_01m45pe1t8b6h8frm7wzcy7fq6',
    type: 'integration.connected',
    created_at: '2026-10-05T09:31:03.871Z',
    workspace_id: ids.workspace,
    data: { integration_id: ids.alerts, integration_type: 'custom', integration_name: null },
    event: { id: null, timestamp: '2026-10-05T09:31:03.871Z' },
  },
  'user.invited': {
    id: 'dlv_01m6dvx9fr06fzdxben71wd23v',
    type: 'user.invited',
    created_at: '2026-11-02T10:12:05.227Z',
    workspace_id: ids.workspace,
    data: { user_id: ids.sam, email: 'sam@example.com', role: 'member' },
    event: { id: null, timestamp: '2026-11-02T10:12:05.227Z' },
  },
  'automation.completed': {
    id: 'dlv_01m6dw3mrt1nh1xg208pef6t2g',
    type: 'automation.completed',
    created_at: '2026-11-02T10:15:33.402Z',
    workspace_id: ids.workspace,
    data: {
      automation_id: ids.automation,
      automation_name: 'Announce pull requests',
      run_id: ids.run,
      status: 'succeeded',
      event_id: ids.pullRequest,
    },
    event: { id: null, timestamp: '2026-11-02T10:15:33.402Z' },
  },
  'webhook.failing': {
    id: 'dlv_01m6dw3mrt1nh1xg208pef6t2h',
    type: 'webhook.failing',
    created_at: '2026-11-02T10:15:33.402Z',
    workspace_id: ids.workspace,
    data: {
      webhook_id: ids.webhook,
      webhook_name: 'Billing service',
      webhook_host: 'app.example.com',
      failing_since: '2026-11-02T10:02:11.918Z',
    },
    event: { id: null, timestamp: '2026-11-02T10:15:33.402Z' },
  },
  'webhook.disabled': {
    id: 'dlv_01m6dw3mrt1nh1xg208pef6t2j',
    type: 'webhook.disabled',
    created_at: '2026-11-02T10:15:33.402Z',
    workspace_id: ids.workspace,
    data: {
      webhook_id: ids.webhook,
      webhook_name: 'Billing service',
      webhook_host: 'app.example.com',
      failing_since: '2026-11-02T10:15:33.402Z',
      reason: 'gone',
      message: GONE_MESSAGE,
    },
    event: { id: null, timestamp: '2026-11-02T10:15:33.402Z' },
  },
  'integration.error': {
    id: 'dlv_01m6dw3mrt1nh1xg208pef6t2k',
    type: 'integration.error',
    created_at: '2026-11-02T10:15:33.402Z',
    workspace_id: ids.workspace,
    data: {
      integration_id: ids.github,
      integration_type: 'github',
      integration_name: 'Platform',
      code: 'credentials_refused',
      message: 'GitHub refuses the credentials. Reconnect the integration with new ones.',
    },
    event: { id: null, timestamp: '2026-11-02T10:15:33.402Z' },
  },
  'automation.disabled': {
    id: 'dlv_01m6dw3mrt1nh1xg208pef6t2n',
    type: 'automation.disabled',
    created_at: '2026-11-02T10:15:33.402Z',
    workspace_id: ids.workspace,
    data: {
      automation_id: ids.automation,
      automation_name: 'Announce pull requests',
      user_id: ids.sam,
      message:
        'This automation calls URLs on behalf of sam@example.com, who may no longer edit automations. The member who enables it takes over responsibility for the calls.',
    },
    event: { id: null, timestamp: '2026-11-02T10:15:33.402Z' },
  },
  'notification.sent': {
    id: 'dlv_01m6dw3mrt1nh1xg208pef6t2m',
    type: 'notification.sent',
    created_at: '2026-11-02T10:32:40.114Z',
    workspace_id: ids.workspace,
    data: {
      rule_id: ids.rule,
      rule_name: 'Critical alerts',
      trigger: 'event.created',
      event_id: ids.alert,
      title: '[critical] Disk is full on db-1',
      text: 'Disk is full on db-1 (monitoring)',
      severity: 'critical',
    },
    event: { id: null, timestamp: '2026-11-02T10:32:40.114Z' },
  },
};
