import type { FaultDetail } from '../../domain/faults/fault.ts';
import { fieldOf, isFormType } from '../wire/form-body.ts';
import { domainUrl } from './api.ts';
import { githubActions } from './actions.ts';
import { checkGithubToken } from './check.ts';
import { githubType } from './ingest/events.ts';
import { registerGithubHook, removeGithubHook } from './hooks.ts';
import { notifyGithub } from './notify.ts';
import { githubOAuth } from './oauth.ts';
import { isOwnNotification } from './ingest/own.ts';
import { summarizeGithub } from './ingest/summary.ts';
import { githubSync } from './sync.ts';
import { bodyHash, hmacSha256, isDigest, randomSecret } from '../signatures/hmac.ts';
import { decodeUtf8, isJsonObject, type ParsedJson, parseJson } from '../wire/json-body.ts';
import type { Credentials, IngestRequest, Provider, Received, Setup, Verdict } from '../provider.ts';

const HEADERS = [
  'x-hub-signature-256',
  'x-hub-signature',
  'x-github-event',
  'x-github-delivery',
  'content-type',
];

/** GitHub, and GitHub Enterprise Server through `domain`. */
export const github: Provider = {
  key: 'github',
  name: 'GitHub',
  description:
    'Pull requests, pushes, issues, checks and all other webhook events; sends notifications as issues and comments.',
  repeatable: false,
  signing: () => ({ name: 'webhook_secret', generate: randomSecret }),
  checkCredentials,
  replaces: ({ repository, organization }) =>
    (repository ?? organization) === undefined ? [] : ['repository', 'organization'],
  headers: () => HEADERS,
  targets: ({ domain }) =>
    domain === undefined ? [] : [{ field: 'credentials.domain', url: domainUrl(domain) }],
  verify,
  receive,
  validate: checkGithubToken,
  register: registerGithubHook,
  unregister: removeGithubHook,
  notify: notifyGithub,
  sync: githubSync,
  actions: githubActions,
  oauth: githubOAuth,
  setUp,
};

function setUp(ingestUrl: string, { repository, organization, domain = 'github.com' }: Credentials): Setup {
  const owner = repository ?? (organization === undefined ? null : `organizations/${organization}`);
  return {
    steps: [
      owner === null
        ? 'Open your repository or organization, then Settings, Webhooks, and choose Add webhook.'
        : `Open https://${domain}/${owner}/settings/hooks and choose Add webhook.`,
      `Enter the payload URL ${ingestUrl}, the content type application/json, and the ingest secret.`,
      'Choose Send me everything, or the events that you want, and save.',
    ],
  };
}

function checkCredentials({ repository, organization }: Credentials): FaultDetail[] {
  if (repository === undefined || organization === undefined) return [];
  const issue = 'cannot be combined with credentials.repository: the webhook is registered at one of them';
  return [{ field: 'credentials.organization', issue }];
}

function verify({ headers, body }: IngestRequest, credentials: Credentials): Verdict {
  const secret = credentials['webhook_secret'];
  if (!secret) return { ok: false, reason: 'the integration has no webhook_secret' };
  const header = headers['x-hub-signature-256'];
  if (header === undefined) {
    const reason = headers['x-hub-signature'] === undefined ? 'unsigned' : 'signed with SHA-1 only';
    return { ok: false, reason };
  }
  const given = header.startsWith('sha256=') ? header.slice('sha256='.length) : '';
  return isDigest(hmacSha256(secret, [body]), given, 'hex')
    ? { ok: true }
    : { ok: false, reason: 'wrong signature' };
}

function receive({ headers, body }: IngestRequest, credentials: Credentials): Received {
  const event = headers['x-github-event'] ?? '';
  if (!/^[a-z\d_]{1,100}$/.test(event)) {
    return {
      kind: 'malformed',
      issue: 'cannot be identified: the X-GitHub-Event header is missing or malformed',
    };
  }
  const json = readBody(headers['content-type'], body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  if (!isJsonObject(json.value)) return { kind: 'malformed', issue: 'is not a JSON object' };
  if (event === 'ping') return { kind: 'ping', reason: 'ping' };
  if (isOwnNotification(json.value, credentials['webhook_secret'])) {
    return { kind: 'ignored', reason: 'this is a notification that was sent from here' };
  }
  const delivery = headers['x-github-delivery'] ?? '';
  return {
    kind: 'event',
    type: githubType(event, json.value),
    source: 'github',
    payload: json.text,
    summary: summarizeGithub(event, json.value),
    // Redeliveries keep the GUID.
    dedupeKey: /^[\w-]{1,100}$/.test(delivery) ? delivery : bodyHash(body),
    // `meta` is sent to the webhook that it is about, and to no other.
    ...(event === 'meta' && json.value['action'] === 'deleted'
      ? { ended: { what: 'webhook', reason: 'it was deleted' } }
      : {}),
  };
}

// GitHub's webhook settings offer JSON and a form; the signature covers the bytes of either.
function readBody(contentType: string | undefined, body: Buffer): ParsedJson {
  const text = decodeUtf8(body);
  if (text === null) return { ok: false, issue: 'is not UTF-8' };
  if (!isFormType(contentType)) return parseJson(text);
  const payload = fieldOf(text, 'payload');
  return payload === undefined
    ? { ok: false, issue: 'is a form without a payload field' }
    : parseJson(payload);
}
