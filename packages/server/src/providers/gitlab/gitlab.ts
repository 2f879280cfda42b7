import type { FaultDetail } from '../../domain/faults/fault.ts';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { bodyHash, randomSecret } from '../signatures/hmac.ts';
import { readJsonObject } from '../wire/json-body.ts';
import type { Credentials, IngestRequest, Provider, Received, Setup } from '../provider.ts';
import { isStamped } from '../signatures/stamp.ts';
import { domainUrl } from './api.ts';
import { checkGitlabToken } from './check.ts';
import { gitlabKind, gitlabType } from './ingest/events.ts';
import { registerGitlabHook, removeGitlabHook } from './hooks.ts';
import { notifyGitlab } from './notify.ts';
import { gitlabOAuth } from './oauth.ts';
import { summarizeGitlab } from './ingest/summary.ts';
import { gitlabSecret, verifyGitlab } from './ingest/verify.ts';
import { gitlabSync } from './sync.ts';

const HEADERS = [
  'x-gitlab-token',
  'x-gitlab-event',
  'idempotency-key',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

/** GitLab.com, and a self-managed GitLab through `domain`. */
export const gitlab: Provider = {
  key: 'gitlab',
  name: 'GitLab',
  description:
    'Pushes, merge requests, issues, comments, pipelines and releases; sends notifications as comments and issues.',
  repeatable: false,
  // We generate a secret token, but never a signing token: only a person knows whether their GitLab can sign.
  signing: ({ signing_token: token }) =>
    token === undefined ? { name: 'webhook_secret', generate: randomSecret } : { name: 'signing_token' },
  checkCredentials,
  replaces: ({ project, group }) => ((project ?? group) === undefined ? [] : ['project', 'group']),
  headers: () => HEADERS,
  targets: ({ domain }) =>
    domain === undefined ? [] : [{ field: 'credentials.domain', url: domainUrl(domain) }],
  verify: verifyGitlab,
  receive,
  validate: checkGitlabToken,
  register: registerGitlabHook,
  unregister: removeGitlabHook,
  notify: notifyGitlab,
  sync: gitlabSync,
  oauth: gitlabOAuth,
  setUp,
};

function checkCredentials({ project, group }: Credentials): FaultDetail[] {
  if (project === undefined || group === undefined) return [];
  const issue = 'cannot be combined with credentials.project: the webhook is registered at one of them';
  return [{ field: 'credentials.group', issue }];
}

function setUp(ingestUrl: string, credentials: Credentials): Setup {
  const { project, group, domain = 'gitlab.com' } = credentials;
  const owner = project ?? (group === undefined ? null : `groups/${group}`);
  const proof =
    credentials['signing_token'] === undefined
      ? 'the ingest secret as its secret token'
      : 'its signing token';
  return {
    steps: [
      owner === null
        ? 'Open your project or group, then Settings, Webhooks, and choose Add new webhook.'
        : `Open https://${domain}/${owner}/-/hooks and choose Add new webhook.`,
      `Enter the URL ${ingestUrl} and ${proof}.`,
      'Choose the triggers that you want, leave SSL verification on, and save.',
    ],
  };
}

function receive({ headers, body }: IngestRequest, credentials: Credentials): Received {
  const json = readJsonObject(body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  const kind = gitlabKind(headers['x-gitlab-event'] ?? '', json.value);
  if (isOwnNotification(kind, json.value, credentials)) {
    return { kind: 'ignored', reason: 'this is a notification that was sent from here' };
  }
  // Both headers have the same ID, but only `webhook-id` is signed.
  const delivery =
    headers[credentials['signing_token'] === undefined ? 'idempotency-key' : 'webhook-id'] ?? '';
  return {
    kind: 'event',
    type: gitlabType(kind, json.value),
    source: 'gitlab',
    payload: json.text,
    summary: summarizeGitlab(kind, json.value),
    dedupeKey: /^[\w.-]{1,100}$/.test(delivery) ? delivery : bodyHash(body),
  };
}

function isOwnNotification(kind: string, payload: unknown, credentials: Credentials): boolean {
  const action = readPointer(payload, '/object_attributes/action');
  // Older versions do not name the action of a comment.
  const isNew =
    kind === 'note' ? action === 'create' || action === undefined : kind === 'issue' && action === 'open';
  const text = readPointer(payload, `/object_attributes/${kind === 'note' ? 'note' : 'description'}`);
  return isNew && isStamped(text, gitlabSecret(credentials));
}
