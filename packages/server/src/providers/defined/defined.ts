import type { FaultDetail } from '../../domain/faults/fault.ts';
import { notifyUrl } from './notify.ts';
import type { Credentials, Provider, Setup } from '../provider.ts';
import { type Definition, proofName } from './definition.ts';
import { credentialForms } from './credential-forms.ts';
import { readHeaders, receiveCall } from './ingest/receive.ts';
import { keyBytes, newSecret } from './secret-key.ts';
import { setupSteps } from './setup.ts';
import { URL_TOKEN } from './url-token.ts';
import { verifyCall } from './ingest/verify.ts';
import { verificationHeaders } from './ingest/headers.ts';

/** A provider that works by a definition. */
export function definedProvider(definition: Definition): Provider {
  const { provider: key, name, verification } = definition;
  const reading = { ...definition, fallbackType: key, source: key };
  const headers = [...new Set([...verificationHeaders(verification), ...readHeaders(reading)])];
  return {
    key,
    name,
    description: definition.description ?? `Events of ${name}, as this workspace has defined it.`,
    methods: { webhook: credentialForms(definition) },
    repeatable: true,
    signing: () => signing(definition),
    checkCredentials: (credentials) => credentialFaults(definition, credentials),
    headers: () => headers,
    targets: ({ notify_url: url }) => (url === undefined ? [] : [{ field: 'credentials.notify_url', url }]),
    verify: (request, credentials) => verifyCall(verification, request, credentials),
    receive: (request) => receiveCall(reading, request),
    notify: notifyUrl(key),
    setUp: (ingestUrl, credentials): Setup => ({ steps: setupSteps(definition, ingestUrl, credentials) }),
  };
}

function signing({ verification, issues_secret: issued }: Definition) {
  if (verification.kind === 'none') return URL_TOKEN;
  const name = proofName(verification);
  if (verification.kind === 'ed25519' || issued) return { name };
  const form = verification.kind === 'hmac' ? (verification.key ?? 'text') : 'text';
  return { name, generate: () => newSecret(form) };
}

function credentialFaults({ verification }: Definition, { secret }: Credentials): FaultDetail[] {
  if (verification.kind !== 'hmac' || secret === undefined) return [];
  const form = verification.key ?? 'text';
  if (keyBytes(form, secret) !== null) return [];
  return [
    { field: 'credentials.secret', issue: `must be ${form}, as verification.key of the provider says` },
  ];
}
