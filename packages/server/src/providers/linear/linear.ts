import { readPointer } from '../../domain/json/json-pointer.ts';
import { isFresh } from '../signatures/fresh.ts';
import { bodyHash, hmacSha256, isDigest, randomSecret } from '../signatures/hmac.ts';
import { readJsonObject } from '../wire/json-body.ts';
import type { Credentials, IngestRequest, Provider, Received, Setup, Verdict } from '../provider.ts';
import { linearKey } from './ingest/change.ts';
import { linearActions } from './actions.ts';
import { checkLinearKey } from './check.ts';
import { linearResource, linearType } from './ingest/events.ts';
import { registerLinearHook, removeLinearHook } from './hooks.ts';
import { notifyLinear } from './notify.ts';
import { linearOAuth } from './oauth.ts';
import { isOwnId } from './ingest/own.ts';
import { summarizeLinear } from './ingest/summary.ts';
import { linearSync } from './sync.ts';

// As in Linear's own library.
const TOLERANCE_SECONDS = 60;

/** Linear: issues, comments, projects, cycles and documents. */
export const linear: Provider = {
  key: 'linear',
  name: 'Linear',
  description:
    'Issues, comments, projects, cycles, documents and initiatives; sends notifications as comments and issues.',
  repeatable: false,
  signing: () => ({ name: 'webhook_secret', generate: randomSecret }),
  checkCredentials: () => [],
  // `linear-timestamp` is left out, because it is not signed: the signed time is in the body.
  headers: () => ['linear-signature', 'linear-delivery'],
  targets: () => [],
  verify,
  receive,
  // Linear counts every other status as a failure.
  success: { status: 200 },
  validate: checkLinearKey,
  register: registerLinearHook,
  unregister: removeLinearHook,
  notify: notifyLinear,
  sync: linearSync,
  actions: linearActions,
  oauth: linearOAuth,
  setUp,
};

function setUp(ingestUrl: string): Setup {
  return {
    steps: [
      'Open https://linear.app/settings/api as an admin of the workspace and choose New webhook.',
      `Enter the URL ${ingestUrl}, choose the teams and the data change events that you want, and save.`,
      'Copy the signing secret that Linear shows, and reconnect this integration with it as webhook_secret.',
    ],
  };
}

function verify({ headers, body, now }: IngestRequest, credentials: Credentials): Verdict {
  const secret = credentials['webhook_secret'];
  if (!secret) return { ok: false, reason: 'the integration has no webhook_secret' };
  const signature = headers['linear-signature'];
  if (signature === undefined) return { ok: false, reason: 'unsigned' };
  if (!isDigest(hmacSha256(secret, [body]), signature, 'hex'))
    return { ok: false, reason: 'wrong signature' };
  const json = readJsonObject(body);
  const sentAt = json.ok ? readPointer(json.value, '/webhookTimestamp') : undefined;
  return typeof sentAt === 'number' && isFresh(String(Math.trunc(sentAt)), now, TOLERANCE_SECONDS)
    ? { ok: true }
    : { ok: false, reason: 'webhookTimestamp is missing, or too far from the current time' };
}

function receive({ headers, body }: IngestRequest, credentials: Credentials): Received {
  const json = readJsonObject(body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  if (isOwnNotification(json.value, credentials)) {
    return { kind: 'ignored', reason: 'this is a notification that was sent from here' };
  }
  const delivery = headers['linear-delivery'] ?? '';
  return {
    kind: 'event',
    type: linearType(linearResource(json.value)),
    source: 'linear',
    payload: json.text,
    summary: summarizeLinear(json.value),
    // A retry keeps the ID, and has another time in its body.
    dedupeKey: linearKey(json.value) ?? (/^[\w-]{1,100}$/.test(delivery) ? delivery : bodyHash(body)),
    ...(isRevoked(json.value)
      ? { ended: { what: 'credentials', reason: 'the access of the OAuth app was revoked' } }
      : {}),
  };
}

/** Reports whether the workspace has removed the OAuth app: then none of its tokens works anymore. */
const isRevoked = (payload: unknown): boolean =>
  linearResource(payload) === 'OAuthApp' && readPointer(payload, '/action') === 'revoked';

function isOwnNotification(payload: unknown, { webhook_secret: secret }: Credentials): boolean {
  const isNew = readPointer(payload, '/action') === 'create';
  return isNew && secret !== undefined && isOwnId(readPointer(payload, '/data/id'), secret);
}
