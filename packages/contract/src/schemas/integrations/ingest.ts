import { z } from 'zod';
import { jsonObject } from '../common.ts';

/** Response of `POST /ingest/{integrationId}`. */
export const IngestResult = z
  .object({
    status: z.enum(['accepted', 'duplicate', 'ignored']).describe('Result of the call.'),
    event_id: z.string().optional().describe('The stored event, for `accepted` and `duplicate`.'),
    reason: z.string().optional().describe('Reason why the call is not an event, for `ignored`.'),
  })
  .describe('Result of a provider call.')
  .meta({ id: 'IngestResult' });

/** Bodies of `POST /ingest/{integrationId}`: whatever the provider sends. Its signature is over the bytes, so no schema parses them. */
export const hookBodies = {
  'application/json': z.unknown().describe('JSON of any shape; an object is stored unchanged.'),
  'application/x-www-form-urlencoded': jsonObject.describe(
    'A form, such as GitHub sends with its JSON in `payload`.',
  ),
  'text/plain': z.string().describe('Text, stored as `{"text": …}`.'),
};

/** A message in the format of Slack's incoming webhooks, as far as Hubline reads it. */
const SlackMessage = z
  .looseObject({
    text: z.string().optional().describe('The message, in mrkdwn.'),
    blocks: z.array(jsonObject).optional().describe('Block Kit blocks.'),
    attachments: z.array(jsonObject).optional().describe('Attachments; the first `color` sets the severity.'),
    username: z.string().optional().describe('Name of the sender.'),
    channel: z.string().optional().describe('Name of the channel.'),
  })
  .describe("A message for one of Slack's incoming webhooks. It has a text, blocks or attachments.")
  .meta({ id: 'SlackMessage' });

/** Bodies of `POST /ingest/{integrationId}/slack`. */
export const slackBodies = {
  'application/json': SlackMessage,
  'application/x-www-form-urlencoded': z
    .object({ payload: z.string().describe('The message as JSON.') })
    .describe('A form with the message in one field.')
    .meta({ id: 'SlackMessageForm' }),
};
