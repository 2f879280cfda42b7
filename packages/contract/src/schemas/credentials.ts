import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { CUSTOM_PRESETS, CUSTOM_VERIFICATIONS } from '../statuses.ts';

// Line breaks would end a header, NUL and lone surrogates would not survive storage.
const isPlain = (value: string) => !/\p{Cc}/u.test(value) && value.isWellFormed();

/** A credential. What is wrong with it is told without repeating it. */
const credential = z
  .string('must be a string')
  .refine((value) => value !== '', { error: 'must not be empty; leave it out instead', abort: true })
  .refine(isPlain, { error: 'must not contain control characters', abort: true })
  .refine((value) => value.trim() === value, {
    error: 'must not begin or end with white space',
    abort: true,
  })
  .meta({ minLength: 1, maxLength: LIMITS.credentialMax });

/** One of a few words. */
const oneOf = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.enum(words, `must be one of ${words.join(', ')}`);

const Github = z
  .strictObject({
    token: credential
      .regex(/^[\x21-\x7e]+$/, 'must contain only visible ASCII characters') // it becomes a header
      .describe('A personal access token, or the token of an installed GitHub App.'),
    webhook_secret: credential
      .optional()
      .describe('Signs the calls of GitHub. Default: one is generated and shown once.'),
    repository: credential
      .regex(/^[\w.-]+\/[\w.-]+$/, 'must be owner/repo')
      .optional()
      .describe('Where the webhook is registered, as `owner/repo`.'),
    organization: credential
      .regex(/^[\w-]+$/, "must be an organization's login, such as octo-org")
      .optional()
      .describe('Where the webhook is registered instead, for all repositories of an organization.'),
    domain: credential
      .regex(
        /^[A-Za-z\d](?:[A-Za-z\d.-]*[A-Za-z\d])?(?::\d{1,5})?$/,
        'must be a host name, such as github.example.com',
      )
      .optional()
      .describe('Host of a GitHub Enterprise Server. Default: github.com.'),
  })
  .describe('Credentials for GitHub.')
  .meta({ id: 'GithubCredentials' });

// RFC 9110 token.
const headerName = credential.regex(
  /^[\w!#$%&'*+.^`|~-]{1,100}$/,
  'must be the name of an HTTP header, such as X-Signature',
);
// RFC 6901: `~` is followed by 0 or 1, and nothing else.
const pointer = credential.regex(
  /^(?:\/(?:[^~/]|~[01])*)*$/,
  'must be a JSON pointer, such as /build/status',
);

const Custom = z
  .strictObject({
    preset: oneOf(CUSTOM_PRESETS)
      .optional()
      .describe('Rules to begin with. Default: those that most tools use for the `verification`.'),
    verification: oneOf(CUSTOM_VERIFICATIONS)
      .optional()
      .describe('What proves a call: a signature, a shared token, or only its secret URL. Default `hmac`.'),
    secret: credential
      .optional()
      .describe('Signs the calls, or is the token. Default: one is generated and shown once.'),
    header: headerName.optional().describe('The header with the signature or the token.'),
    prefix: credential.optional().describe('What stands in front of it there, such as `sha256=`.'),
    digest: oneOf(['hex', 'base64']).optional().describe('How the signature is written. Default `hex`.'),
    signed: credential
      .regex(
        /^(?:[^{}]|\{(?:timestamp|id)\})*\{body\}(?:[^{}]|\{(?:timestamp|id)\})*$/,
        'must contain {body} once, and may contain {timestamp} and {id}, such as {timestamp}.{body}',
      )
      .optional()
      .describe('The text that is signed. Default `{body}`.'),
    timestamp_header: headerName
      .optional()
      .describe('The header with the `{timestamp}`, in Unix seconds or milliseconds.'),
    tolerance_seconds: credential
      .regex(/^\d{1,5}$/, 'must be a number of seconds from 0 to 99999')
      .optional()
      .describe('How old a timestamp may be, in seconds, as text. Default `300`.'),
    event_type_header: headerName.optional().describe('The header with the type of the event.'),
    event_type_pointer: pointer.optional().describe('Where the type is in the body, as a JSON pointer.'),
    delivery_id_header: headerName.optional().describe('The header with the id of the call, or the `{id}`.'),
    delivery_id_pointer: pointer.optional().describe('Where the id is in the body, as a JSON pointer.'),
    source: credential
      // As EventPublish restricts it.
      .regex(
        /^[A-Za-z\d][\w.:-]{0,99}$/,
        'must begin with a letter or digit and contain only letters, digits and _ . : -, at most 100',
      )
      .optional()
      .describe('The source of its events. Default `custom`.'),
    notify_url: credential.optional().describe('HTTPS URL that notifications are sent to.'),
  })
  .describe('Credentials for any other tool that can call a URL.')
  .meta({ id: 'CustomCredentials' });

/** The credentials of every provider, by its key. */
export const CREDENTIALS = { github: Github, custom: Custom } as const;

/** The key of a provider that this version knows. */
export type ProviderKey = keyof typeof CREDENTIALS;

type Credentials = (typeof CREDENTIALS)[ProviderKey];

/** Applies a function to the credentials of each provider, for a union. */
export function byProvider<Made>(
  make: (key: ProviderKey, credentials: Credentials) => Made,
): [Made, ...Made[]] {
  const keys = Object.keys(CREDENTIALS) as ProviderKey[];
  return keys.map((key) => make(key, CREDENTIALS[key])) as [Made, ...Made[]];
}
