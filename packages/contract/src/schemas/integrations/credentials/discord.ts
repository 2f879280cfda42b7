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
      .describe("The URL of a webhook, from the channel's Integrations page."),
  })
  .describe('Messages to one channel, and no events.')
  .meta({ id: 'DiscordWebhookCredentials', title: 'Channel webhook' });

/** An application of Discord with its bot. */
export const DiscordApp = z
  .strictObject({
    bot_token: headerSecret.describe("The token of the bot, from the application's Bot page."),
    public_key: setting
      .regex(/^[\da-fA-F]{64}$/, 'must have 64 hexadecimal digits')
      .describe("The Public Key, from the application's General Information page."),
    application_id: setting
      .regex(/^\d{15,21}$/, 'must be a number of 15 to 21 digits')
      .describe("The Application ID, from the application's General Information page."),
  })
  .describe('Your own application: its webhook events, and messages to any channel that its bot sees.')
  .meta({ id: 'DiscordAppCredentials', title: 'Application' });
