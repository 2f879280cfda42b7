import { z } from 'zod';
import { headerSecret, secret, secretUrl } from './forms.ts';

const BOT_TOKEN = /^xox[a-z][\x21-\x7e]*$/;

/** A Slack app that is installed in a workspace of Slack. */
export const SlackApp = z
  .strictObject({
    token: headerSecret
      .refine((token) => BOT_TOKEN.test(token), 'must be the Bot User OAuth Token, which begins with xoxb-')
      .meta({ pattern: BOT_TOKEN.source })
      .describe("The Bot User OAuth Token (`xoxb-…`), from the app's OAuth & Permissions page."),
    signing_secret: secret
      .regex(/^(?!xox)/, 'must be the Signing Secret of the app, not a token')
      .describe("The Signing Secret, from the app's Basic Information page."),
  })
  .describe('Your own app: events from Slack, and messages to any channel.')
  .meta({ id: 'SlackAppCredentials', title: 'Slack app' });

/** An incoming webhook of Slack. */
export const SlackWebhook = z
  .strictObject({
    webhook_url: secretUrl
      .regex(
        /^https:\/\/hooks\.slack(?:-gov)?\.com\/services\/[\w/]+$/,
        'must be the URL of an incoming webhook, such as https://hooks.slack.com/services/T…/B…/…',
      )
      .describe("The URL of an incoming webhook, from the app's Incoming Webhooks page."),
  })
  .describe('Messages to one channel, and no events.')
  .meta({ id: 'SlackWebhookCredentials', title: 'Incoming webhook' });
