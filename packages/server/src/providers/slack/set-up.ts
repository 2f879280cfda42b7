import type { Credentials, Setup } from '../provider.ts';

/** The scopes of the app's bot. */
export const SLACK_SCOPES = [
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'chat:write',
  'chat:write.public',
  'files:read',
  'groups:history',
  'groups:read',
  'reactions:read',
];

const EVENTS = [
  'app_mention',
  'app_uninstalled',
  'channel_archive',
  'channel_created',
  'channel_rename',
  'file_shared',
  'member_joined_channel',
  'message.channels',
  'message.groups',
  'reaction_added',
  'tokens_revoked',
];

/** The steps at api.slack.com, and the manifest of the app: Slack has no other way to register a URL. */
export function setUpSlack(ingestUrl: string, { webhook_url: url, token }: Credentials): Setup {
  if (url !== undefined) {
    const step = `No further setup is needed: an incoming webhook only posts messages to Slack. Slack does not call ${ingestUrl}.`;
    return { steps: [step] };
  }
  const manifest = slackManifest(ingestUrl);
  return token === undefined
    ? {
        steps: [
          `Open https://api.slack.com/apps, choose Create New App, From a manifest, and paste the manifest, which names ${ingestUrl}.`,
          'Choose Install to Workspace and allow it.',
          'Copy the Bot User OAuth Token (OAuth & Permissions) and the Signing Secret (Basic Information), and reconnect the integration with them.',
          'In the app, open Event Subscriptions and choose Retry, so that Slack verifies the URL.',
          'Invite the app to a channel with /invite and write something there.',
        ],
        manifest,
      }
    : {
        steps: [
          'Open https://api.slack.com/apps and choose your app.',
          `Open Event Subscriptions, switch events on, and enter the request URL ${ingestUrl}; Slack verifies it at once. Or paste the manifest under App Manifest, which sets the events and scopes as well.`,
          'Choose Reinstall to Workspace if Slack asks for it.',
          'Invite the app to a channel with /invite and write something there.',
        ],
        manifest,
      };
}

/** A manifest of an app that calls the URL. docs.slack.dev, "App manifest reference". */
function slackManifest(ingestUrl: string): string {
  const manifest = {
    display_information: { name: 'Hubline', description: 'Forwards events from this workspace to Hubline.' },
    features: { bot_user: { display_name: 'Hubline', always_online: true } },
    oauth_config: {
      redirect_urls: [ingestUrl.replace(/\/ingest\/.*$/, '/integrations/oauth/slack/callback')],
      scopes: { bot: SLACK_SCOPES },
    },
    settings: {
      event_subscriptions: { request_url: ingestUrl, bot_events: EVENTS },
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  };
  return JSON.stringify(manifest, null, 2);
}
