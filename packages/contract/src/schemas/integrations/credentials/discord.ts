import { z } from 'zod';
import { headerSecret, secretUrl, setting } from './forms.ts';

/** An incoming webhook of a Discord channel. */
export const DiscordWebhook = z
  .strictObject({
    webhook_url: secretUrl
      .regex(
        /^https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,21}\/[\w-]+$/,
        'must be the URL of a webhook, such as https://discord.com/api/webhooks/…/…',
      )
      .describe('The URL of a webhook, under Integrations of the channel.'),
  })
  .describe('Messages to one channel, and no events.')
  .meta({ id: 'DiscordWebhookCredentials', title: 'Channel webhook' });

/** An application of Discord with its bot. */
export const DiscordApp = z
  .strictObject({
    bot_token: headerSecret.describe('The token of the bot, under Bot of the application.'),
    public_key: setting
      .regex(/^[\da-fA-F]{64}$/, 'must have 64 hexadecimal digits')
      .describe('The Public Key, under General Information of the application.'),
    application_id: setting
      .regex(/^\d{15,21}$/, 'must be a number of 15 to 21 digits')
      .describe('The Application ID, under General Information of the application.'),
  })
  .describe('Your own application: its webhook events, and messages to any channel that its bot sees.')
  .meta({ id: 'DiscordAppCredentials', title: 'Application' });
