import { type OAuth, OAuthRefused } from '../oauth/oauth.ts';
import { SLACK_SCOPES } from './set-up.ts';

/** A Slack app. Its bot token lasts, unless the app has turned token rotation on. */
export const slackOAuth: OAuth = {
  appsUrl: 'https://api.slack.com/apps',
  endpoints: () => ({
    authorization: 'https://slack.com/oauth/v2/authorize',
    token: 'https://slack.com/api/oauth.v2.access',
  }),
  scopes: SLACK_SCOPES,
  scopeSeparator: ',',
  pkce: false,
  appFields: ['signing_secret'],
  credentials(_, { app: { signing_secret } }) {
    if (signing_secret === undefined)
      throw new OAuthRefused('The Slack app was configured without its signing_secret; configure it again');
    return { signing_secret };
  },
};
