import type { EnvelopeOf } from '../schemas/envelopes.ts';
import type { Trigger } from '../statuses.ts';
import { pullRequestPayload, pullRequestSummary } from './events.ts';
import { ids } from './ids.ts';

/** The pull request on its way to the webhook. */
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
    data: { integration_id: ids.alerts, integration_type: 'custom' },
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
};
