import { z } from 'zod';
import { secret, secretUrl } from './forms.ts';

const workflowUrl = secretUrl
  .refine((url) => !/^https:\/\/[\w.-]+\.office(?:365)?\.com\//.test(url), {
    error:
      'must not be that of an Office 365 connector: Microsoft has retired them; create a webhook with Workflows',
    abort: true,
  })
  .regex(
    /^https:\/\/[^/?#]+\/(?:[\w-]+\/)*workflows\/[\w-]+\/triggers\/\w+\/paths\/invoke\?(?:[^\s#]*&)?sig=[^\s&#]/,
    'must be the URL that Workflows shows for "When a Teams webhook request is received", with its sig',
  )
  .describe('The URL of a workflow that posts to a channel or chat, from the Workflows app.');

/** A workflow of Microsoft Teams. */
export const TeamsWorkflow = z
  .strictObject({ webhook_url: workflowUrl })
  .describe('Messages to one channel or chat, and no events.')
  .meta({ id: 'TeamsWorkflowCredentials', title: 'Workflow' });

/** An outgoing webhook of a team. */
export const TeamsOutgoingWebhook = z
  .strictObject({
    security_token: secret
      .regex(
        /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/,
        'must be the base64 text that Teams shows when the outgoing webhook is created',
      )
      .describe('The security token, which Teams shows once when the outgoing webhook is created.'),
    webhook_url: workflowUrl.optional(),
  })
  .describe('Messages that mention the webhook in a team; with a workflow, messages to one channel as well.')
  .meta({ id: 'TeamsOutgoingWebhookCredentials', title: 'Outgoing webhook' });
