import type { ProviderAction } from '../provider.ts';
import { postMrkdwn } from './notify.ts';

const postMessage: ProviderAction = {
  name: 'Post a message',
  inputs: {
    channel: {
      type: 'string',
      description:
        'Channel, such as #releases. Default: the channel of the integration, or of its incoming webhook.',
      required: false,
    },
    text: {
      type: 'text',
      description: 'The message, in mrkdwn: <https://example.com|a link>, <!here>, *bold*.',
      required: true,
    },
    thread: {
      type: 'string',
      description: 'The `ts` of the message to reply to in a thread.',
      required: false,
    },
  },
  escaping: { text: 'mrkdwn' },
  outputs: ['channel', 'ts'],
  async run({ credentials, config }, { channel = '', text = '', thread = '' }, { tools }) {
    const target = channel.trim();
    const result = await postMrkdwn(
      { credentials, config: target === '' ? config : { ...config, channel: target } },
      { text, ...(thread.trim() !== '' && { thread: thread.trim() }) },
      tools,
    );
    // An incoming webhook does not report the channel and `ts` of its message.
    return result.ok
      ? { ok: true, output: { channel: result.channel ?? result.destination, ts: result.ts ?? null } }
      : {
          ok: false,
          error: result.error,
          ...(result.refused === 'credentials' ? { refused: 'credentials' } : {}),
        };
  },
};

/** Actions of automations in Slack. */
export const slackActions = { 'slack.post_message': postMessage };
