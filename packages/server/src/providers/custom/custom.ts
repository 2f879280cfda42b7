import { verificationHeaders } from '../defined/ingest/headers.ts';
import { readHeaders, receiveCall } from '../defined/ingest/receive.ts';
import { verifyCall } from '../defined/ingest/verify.ts';
import type { Credentials, Provider, Setup } from '../provider.ts';
import { randomSecret } from '../signatures/hmac.ts';
import { receiveSlack, SLACK_HEADERS, verifySlack } from '../slack-compatible.ts';
import { notifyUrl } from '../defined/notify.ts';
import { openStep, URL_TOKEN } from '../defined/url-token.ts';
import { customReading, customRuleFaults, customRules, PROOF_RULES } from './ingest/rules.ts';

/** Any tool that can send a webhook: signed, with a token, or without any proof. */
export const custom: Provider = {
  key: 'custom',
  name: 'Custom webhook',
  description:
    'Events from any tool that can call a URL, signed or not, in JSON, forms, text or Slack message format.',
  repeatable: true,
  signing: (credentials) =>
    customRules(credentials).kind === 'none' ? URL_TOKEN : { name: 'secret', generate: randomSecret },
  checkCredentials: customRuleFaults,
  replaces: ({ preset, verification }) => ((preset ?? verification) === undefined ? [] : PROOF_RULES),
  rules: PROOF_RULES,
  headers,
  targets: ({ notify_url: url }) => (url === undefined ? [] : [{ field: 'credentials.notify_url', url }]),
  verify: (request, credentials) => verifyCall(customRules(credentials), request, credentials),
  receive: (request, credentials) => receiveCall(customReading(credentials), request),
  slack: { headers: () => SLACK_HEADERS, verify: verifySlack, receive: receiveSlack },
  notify: notifyUrl('custom'),
  setUp,
};

function headers(credentials: Credentials): string[] {
  return [...verificationHeaders(customRules(credentials)), ...readHeaders(customReading(credentials))];
}

function setUp(ingestUrl: string, credentials: Credentials): Setup {
  const rules = customRules(credentials);
  if (rules.kind === 'none') {
    return {
      steps: [
        openStep(ingestUrl, credentials),
        `Tools that send Slack messages use ${ingestUrl.replace(/(?=\?|$)/, '/slack')}.`,
      ],
    };
  }
  const proof =
    rules.kind === 'hmac'
      ? `signed with the ingest secret (HMAC-SHA256, in the ${rules.header} header)`
      : `with the ingest secret in the ${rules.header} header`;
  return {
    steps: [
      `Have the tool POST to ${ingestUrl}, ${proof}.`,
      `Tools that send Slack messages use ${ingestUrl}/slack?token= followed by the ingest secret.`,
    ],
  };
}
