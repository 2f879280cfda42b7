import type { Context } from '../../context.ts';
import type { IntegrationRow } from '../../db/integrations/integrations.ts';
import { invalidFields, unprocessable } from '../../domain/faults/fault.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { checkCredentials } from '../../providers/credentials.ts';
import type { Credentials, Hook, Provider, Registration } from '../../providers/provider.ts';
import { ingestUrl } from './ingest-url.ts';
import { requireAllowedUrl } from '../webhooks/target-url.ts';
import { toolsFor } from './provider-tools.ts';

/** Credentials that are complete, with the signing secret that was made for them, if any. */
export interface SignedCredentials {
  credentials: Credentials;
  /** Shown once. A token of the ingest URL is shown with the URL. */
  generated: string | undefined;
}

/**
 * Checks given credentials without calling the provider: their names, their forms, and the URLs that would be called.
 */
export function readCredentials(
  context: Pick<Context, 'config'>,
  provider: Provider,
  given: Credentials,
): Credentials {
  const [first, ...others] = checkCredentials(provider, given);
  if (first) throw invalidFields([first, ...others]);
  for (const { field, url } of provider.targets(given)) requireAllowedUrl(context, field, url);
  return given;
}

/** The secret that signs incoming calls; `undefined` if calls are not signed, or the secret is unknown. */
export function signingSecret(provider: Provider, credentials: Credentials): string | undefined {
  const signing = provider.signing(credentials);
  return signing === null ? undefined : credentials[signing.name];
}

/** Adds a signing secret if Hubline makes it and none was given. */
export function withSecret(provider: Provider, given: Credentials): SignedCredentials {
  const signing = provider.signing(given);
  if (!signing?.generate || given[signing.name] !== undefined)
    return { credentials: given, generated: undefined };
  const generated = signing.generate();
  const credentials = { ...given, [signing.name]: generated };
  return { credentials, generated: signing.inUrl ? undefined : generated };
}

type NetworkContext = Pick<Context, 'config' | 'providerHttp' | 'clock' | 'publicUrl'>;

/**
 * Asks the provider whether it accepts the credentials, unless the operator has switched this off. Returns them with
 * the details that the provider added.
 */
export async function checkAtProvider(
  context: NetworkContext,
  provider: Provider,
  credentials: Credentials,
): Promise<Credentials> {
  if (context.config.credentialCheck === 'skip') return credentials;
  const check = await provider.validate?.(credentials, toolsFor(context, provider.key));
  if (check && !check.ok) throw unprocessable(check.detail.field, check.detail.issue, { passing: true });
  return { ...credentials, ...check?.credentials };
}

/** Registers the ingest URL of an integration at its provider; `null` if there is nothing to register. */
export async function registerHook(
  context: NetworkContext,
  provider: Provider,
  { id, credentials, hook }: { id: string; credentials: Credentials; hook: Hook | null },
): Promise<Registration | null> {
  if (!provider.register) return null;
  const ingest = { url: ingestUrl(context, id), secret: signingSecret(provider, credentials) ?? '', hook };
  try {
    return await provider.register(credentials, ingest, toolsFor(context, provider.key));
  } catch (error) {
    // A server that does not check credentials may not reach providers either: then a person sets up the webhook.
    if (context.config.credentialCheck !== 'skip' || !(error instanceof ProviderUnavailable)) throw error;
    return { registered: false, reason: error.message };
  }
}

/** A registration as it is stored. */
export function hookColumns(
  registration: Registration | null,
): Pick<IntegrationRow, 'hook' | 'hook_refusal'> {
  if (!registration) return { hook: null, hook_refusal: null };
  return registration.registered
    ? { hook: JSON.stringify(registration.hook), hook_refusal: null }
    : { hook: null, hook_refusal: registration.reason };
}
