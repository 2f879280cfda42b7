import { z } from 'zod';
import { text } from '../../text.ts';
import { integer } from '../common.ts';

// RFC 9110 token.
const headerName = text(1, 100).regex(
  /^[\w!#$%&'*+.^`|~-]+$/,
  'must be the name of an HTTP header, such as X-Signature',
);
const prefix = text(0, 50)
  .optional()
  .describe('Text before the signature or the token, such as `sha256=`. Default: none.');
const words = <Word extends string>(options: readonly [Word, ...Word[]]) =>
  z.enum(options, `must be one of ${options.join(', ')}`);

const SIGNED = /^(?:[^{}]|\{(?:timestamp|id)\})*\{body\}(?:[^{}]|\{(?:timestamp|id)\})*$/;

/** Fields of both kinds of signature, HMAC and Ed25519: the bytes that are signed, and the place of the signature. */
const signature = {
  header: headerName.describe('Header with the signature.'),
  prefix,
  separator: words([',', ' ', ';'])
    .optional()
    .describe(
      'Character between the elements of a header that has several, such as `t=…,v1=…`. One valid signature is enough. Default: the header is one element.',
    ),
  encoding: words(['hex', 'base64']).optional().describe('Encoding of the signature. Default `hex`.'),
  signed: text(6, 200)
    .regex(
      SIGNED,
      'must contain {body} once, and may contain {timestamp} and {id}, such as {timestamp}.{body}',
    )
    .optional()
    .describe('The text that is signed. Default `{body}`.'),
  timestamp: z
    .strictObject({
      header: headerName.describe('Header with the time, in Unix seconds or milliseconds.'),
      prefix: text(1, 50)
        .optional()
        .describe('Text before the time, if it is one of several elements of the header, such as `t=`.'),
      tolerance_seconds: integer(0, 86_400, 'must be an integer from 0 to 86400, which is a day')
        .optional()
        .describe('Maximum difference from now, in seconds. Default 300.'),
    })
    .optional()
    .describe('The signed time. Calls whose time differs too much from now are refused.'),
  id_header: headerName.optional().describe('Header with the `{id}` that is signed.'),
};

const none = z
  .strictObject({ kind: z.literal('none').describe('Anybody who knows the URL with its token may call.') })
  .describe('The calls themselves prove nothing. The ingest URL ends with a token.')
  .meta({ id: 'UnverifiedCalls' });
const token = z
  .strictObject({
    kind: z.literal('token').describe('The secret is in a header.'),
    header: headerName.describe('Header with the secret.'),
    prefix,
  })
  .describe('A shared secret in a header, such as `Authorization: Bearer …`.')
  .meta({ id: 'HeaderToken' });
const urlToken = z
  .strictObject({
    kind: z.literal('url_token').describe('The secret is in the URL.'),
    parameter: text(1, 50)
      .regex(/^[\w-]+$/, 'must contain only letters, digits, _ and -')
      .optional()
      .describe('Query parameter with the secret. Default `token`.'),
  })
  .describe('A shared secret in the URL, such as `?token=…`.')
  .meta({ id: 'UrlToken' });
const basic = z
  .strictObject({
    kind: z.literal('basic').describe('Basic authentication; the secret is the password.'),
    username: text(1, 100)
      .refine((name) => !/[:\p{Cc}]/u.test(name), 'must not contain a colon or control characters')
      // By number, because not every generator knows `\p`. Without those above 0x7f: Ruby does not load `\x9f`, PHP reads it as a byte.
      .meta({ pattern: '^[^:\\x00-\\x1f\\x7f]+$' })
      .describe('User name.'),
  })
  .describe('Basic authentication.')
  .meta({ id: 'BasicAuthentication' });
const hmac = z
  .strictObject({
    kind: z.literal('hmac').describe('The secret signs the call.'),
    algorithm: words(['sha256', 'sha512', 'sha1'])
      .optional()
      .describe('Hash of the signature. Default `sha256`.'),
    key: words(['text', 'hex', 'base64', 'whsec'])
      .optional()
      .describe(
        'Encoding of the key: `text` uses the secret as it is, `hex` and `base64` decode it, `whsec` decodes the base64 after `whsec_`. Default `text`.',
      ),
    ...signature,
  })
  .describe('An HMAC over the call.')
  .meta({ id: 'HmacSignature' });
const ed25519 = z
  .strictObject({
    kind: z.literal('ed25519').describe('The private key of the tool signs the call.'),
    ...signature,
  })
  .describe('An Ed25519 signature over the call.')
  .meta({ id: 'Ed25519Signature' });
const jwt = z
  .strictObject({
    kind: z.literal('jwt').describe('A JSON Web Token that contains the hash of the body.'),
    header: headerName.describe('Header with the token.'),
    prefix,
    body_claim: text(1, 50).describe('Claim with the SHA-256 of the body in hexadecimal digits.'),
    issuer: text(1, 100).optional().describe('Value that the `iss` claim must have. Default: any.'),
  })
  .describe('A JSON Web Token, signed with the secret (HS256).')
  .meta({ id: 'JwtSignature' });

const KINDS = [none, token, urlToken, basic, hmac, ed25519, jwt] as const;
const KIND_NAMES = KINDS.map(({ shape }) => shape.kind.value).join(', ');

/** The proof of origin that calls of a defined provider carry. */
export const ProviderVerification = z
  .discriminatedUnion('kind', KINDS, {
    error: ({ code }) => (code === 'invalid_union' ? `must be one of ${KIND_NAMES}` : undefined),
  })
  .describe('The proof of origin that calls carry.')
  .meta({ id: 'ProviderVerification' });
