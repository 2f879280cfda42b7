import type { ProviderAction } from '../provider.ts';
import { notifySlack } from './notify.ts';

const postMessage: ProviderAction = {
  name: 'Post a message',
  inputs: {
    channel: {
      type: 'string',
      description:
        'Channel, such as #releases. Default: that of the integration, or of its incoming webhook.',
      required: false,
    },
    text: { type: 'text', description: 'The message.', required: true },
  },
  outputs: ['channel'],
  async run({ credentials, config }, { channel = '', text = '' }, tools) {
    const place = channel.trim();
    const result = await notifySlack(
      { credentials, config: place === '' ? config : { ...config, channel: place } },
      { eventType: 'automation', text },
      tools,
    );
    return result.ok
      ? { ok: true, output: { channel: result.destination } }
      : {
          ok: false,
          error: result.error,
          ...(result.refused === 'credentials' ? { refused: 'credentials' } : {}),
        };
  },
};

/** Actions of automations in Slack. */
export const slackActions = { 'slack.post_message': postMessage };
