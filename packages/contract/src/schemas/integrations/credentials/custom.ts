import { z } from 'zod';
import { CUSTOM_PRESETS, CUSTOM_VERIFICATIONS } from '../../../constants/statuses.ts';
import { oneOf, secret, setting, urlToken } from './forms.ts';

// RFC 9110 token.
const headerName = setting.regex(
  /^[\w!#$%&'*+.^`|~-]{1,100}$/,
  'must be the name of an HTTP header, such as X-Signature',
);
// RFC 6901: `~` is followed by 0 or 1, and nothing else.
const pointer = setting.regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'must be a JSON pointer, such as /build/status');

/** The rules by which calls of any other tool are verified and read. */
export const CustomRules = z
  .strictObject({
    preset: oneOf(CUSTOM_PRESETS)
      .optional()
      .describe(
        `Preset rules: ${CUSTOM_PRESETS.join(', ')}. Default: those that most tools use for the \`verification\`.`,
      ),
    verification: oneOf(CUSTOM_VERIFICATIONS)
      .optional()
      .describe(
        'Verification of calls: by a signature (`hmac`), a shared `token`, or only the token in the URL (`none`). Default `hmac`.',
      ),
    secret: secret
      .optional()
      .describe('Secret that signs the calls, or the token. Default: a generated one, shown once.'),
    url_token: urlToken
      .optional()
      .describe('Token at the end of the ingest URL, for the verification `none`. Default: a generated one.'),
    header: headerName.optional().describe('The header with the signature or the token.'),
    prefix: setting.optional().describe('Text before the signature in the header, such as `sha256=`.'),
    digest: oneOf(['hex', 'base64'])
      .optional()
      .describe('Encoding of the signature: `hex` or `base64`. Default `hex`.'),
    signed: setting
      .regex(
        /^(?:[^{}]|\{(?:timestamp|id)\})*\{body\}(?:[^{}]|\{(?:timestamp|id)\})*$/,
        'must contain {body} once, and may contain {timestamp} and {id}, such as {timestamp}.{body}',
      )
      .optional()
      .describe('The text that is signed. Default `{body}`.'),
    timestamp_header: headerName
      .optional()
      .describe('The header with the `{timestamp}`, in Unix seconds or milliseconds.'),
    tolerance_seconds: setting
      .regex(/^\d{1,5}$/, 'must be a number of seconds from 0 to 99999')
      .optional()
      .describe('Maximum age of a timestamp in seconds, as text. Default `300`.'),
    event_type_header: headerName.optional().describe('The header with the type of the event.'),
    event_type_pointer: pointer.optional().describe('Position of the type in the body, as a JSON pointer.'),
    delivery_id_header: headerName.optional().describe('The header with the ID of the call, or the `{id}`.'),
    delivery_id_pointer: pointer.optional().describe('Position of the ID in the body, as a JSON pointer.'),
    source: setting
      // The same rule as for `source` in `EventPublish`.
      .regex(
        /^[A-Za-z\d][\w.:-]{0,99}$/,
        'must begin with a letter or digit and contain only letters, digits and _ . : -, at most 100',
      )
      .optional()
      .describe('Source of the events. Default `custom`.'),
    notify_url: secret.optional().describe('HTTPS URL that receives notifications.'),
  })
  .describe('Credentials for any other tool that can call a URL.')
  .meta({ id: 'CustomCredentials', title: 'Webhook' });
