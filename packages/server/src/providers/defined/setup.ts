import type { Credentials } from '../provider.ts';
import type { Definition, Verification } from './definition.ts';
import { openStep } from './url-token.ts';

/** The steps that a person takes at the tool, with the real URL. */
export function setupSteps(
  { setup_steps: steps, verification }: Definition,
  ingestUrl: string,
  credentials: Credentials,
): string[] {
  const url =
    verification.kind === 'url_token' ? `${ingestUrl}?${verification.parameter ?? 'token'}=` : ingestUrl;
  if (steps && steps.length > 0) return steps.map((step) => step.replaceAll('{url}', url));
  if (verification.kind === 'none') return [openStep(url, credentials)];
  if (verification.kind === 'url_token') return [`Have the tool POST to ${url} followed by the secret.`];
  return [`Have the tool POST to ${url}, ${proof(verification)}.`];
}

function proof(rules: Exclude<Verification, { kind: 'none' | 'url_token' }>): string {
  if (rules.kind === 'basic') return `with the user name ${rules.username} and the secret as its password`;
  if (rules.kind === 'token') return `with the secret in the ${rules.header} header`;
  const how = { hmac: 'HMAC', ed25519: 'Ed25519', jwt: 'a JSON Web Token' }[rules.kind];
  return `signed (${how}, in the ${rules.header} header)`;
}
