import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { displayName, eventName, text, timestamp } from '../../text.ts';
import { dictionary, id, list } from '../common.ts';
import { EventSummary } from '../events.ts';
import { ProviderVerification } from './provider-verification.ts';
import { Provider } from './providers.ts';

const PLACE_MAX = 256;
// RFC 6901: `~` is followed by 0 or 1, and nothing else.
const place = text(1, PLACE_MAX)
  .regex(
    /^(?:(?:\/(?:[^~/]|~[01])*)+|header:[\w!#$%&'*+.^`|~-]+)$/,
    'must be a JSON pointer, such as /build/status, or header: and a name, such as header:X-Event',
  )
  .describe('A JSON pointer into the body, such as `/build/status`, or a header, such as `header:X-Event`.');
const places = list(place, { min: 1, rule: 'must have at least one place', max: 5 });
const severity = EventSummary.shape.severity;
const entity = (description: string) =>
  z
    .strictObject({
      kind: text(1, 50).optional().describe('Kind, the same for every event, such as `build`.'),
      id: places.optional().describe('Places to read the ID from, in order of preference.'),
      name: places.optional().describe('Places to read the title or name from.'),
      url: places.optional().describe('Places to read the URL of the page from.'),
    })
    .describe(description);

const summary = z
  .strictObject({
    action: places.optional().describe('Places of the action, such as `opened`.'),
    actor: z
      .strictObject({
        id: places.optional().describe('Places of the ID.'),
        name: places.optional().describe('Places of the name or login.'),
      })
      .optional()
      .describe('The actor.'),
    subject: entity('The subject of the action.').optional(),
    container: entity('The container of the subject, such as a project.').optional(),
    text: places.optional().describe('Places of a line for people.'),
    severity: z
      .strictObject({
        from: places.describe('Places of the urgency.'),
        map: dictionary(severity, 50)
          .optional()
          .describe(
            'Severity by the value in that place. Default: the usual words, such as `warning` and `p1`.',
          ),
        default: severity.optional().describe('Severity of all other events. Default `none`.'),
      })
      .optional()
      .describe('The urgency.'),
    occurred_at: places
      .optional()
      .describe('Places of the time: RFC 3339, or Unix time in seconds or milliseconds.'),
  })
  .describe(
    'The parts of the summary. A part that is named here is read only from its places; every other part is read from the fields that most tools use.',
  )
  .meta({ id: 'ProviderSummaryRules' });

const STEP_MAX = 500;

/** The fields of a definition that can be changed. */
const rules = {
  name: displayName.describe('Human-readable name.'),
  description: text(1, STEP_MAX).optional().describe('Events that the tool sends.'),
  verification: ProviderVerification,
  issues_secret: z
    .boolean()
    .optional()
    .describe(
      'True if the tool generates the secret, which connecting then requires. False: Hubline generates one if none is given. Default false.',
    ),
  event_type: z
    .strictObject({
      from: places.optional().describe('Places of the type, in order of preference.'),
      map: dictionary(eventName, 200).optional().describe('Type of the event by the value in that place.'),
      default: eventName
        .optional()
        .describe('Type of the event if no place has one. Default: the key of the provider.'),
    })
    .optional()
    .describe('The type of the event. A value that is not in the map is the type itself.'),
  dedupe_key: places
    .optional()
    .describe(
      'Places of an ID that stays the same when a call is repeated. Default: the headers `webhook-id` and `idempotency-key`, otherwise a hash of the body.',
    ),
  pings: list(text(1, 100), { max: 20 })
    .optional()
    .describe('Types of calls that only test the URL and make no event.'),
  handshake: z
    .strictObject({
      echo: places.describe('Places of the text to send back.'),
      field: text(1, 50)
        .optional()
        .describe('Field of the JSON response that holds the text. Default: the response is the text alone.'),
    })
    .optional()
    .describe('Response to calls that check who owns the URL. They make no event.'),
  summary: summary.optional(),
  setup_steps: list(text(1, STEP_MAX), { max: 20 })
    .optional()
    .describe('Steps that set up the webhook at the tool, one sentence each; `{url}` is the ingest URL.'),
};

const key = text(2, 50)
  .regex(
    /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/,
    'must contain only lower-case letters, digits and single hyphens, and begin with a letter, such as acme-ci',
  )
  .describe('Provider key, such as `acme-ci`: unique in the workspace, and not that of a built-in provider.');

/** Body of `POST /workspaces/{id}/providers`. */
export const ProviderDefinitionCreate = z
  .strictObject({ provider: key, ...rules })
  .describe('A provider that a workspace defines.')
  .meta({ id: 'ProviderDefinitionCreate' });

const { name, verification, ...optional } = rules;
type Optional = typeof optional;
const removable = Object.fromEntries(
  Object.entries(optional).map(([field, schema]) => [field, (schema as z.ZodType).nullable()]),
) as { [Field in keyof Optional]: z.ZodNullable<Optional[Field]> };

/** Body of `PATCH /workspaces/{id}/providers/{providerId}`. */
export const ProviderDefinitionUpdate = z
  .strictObject({ name: name.optional(), verification: verification.optional(), ...removable })
  .describe('Changes to a definition. A field replaces the old one entirely; `null` removes it.')
  .meta({ id: 'ProviderDefinitionUpdate' });

/** A provider that a workspace has defined. Its first fields are those of every provider. */
export const ProviderDefinition = Provider.extend({
  ...rules,
  description: z.string().describe('Events and notifications of the tool.'),
  provider_id: z.string().describe('`prv_` and 26 characters.'),
  workspace_id: z.string().describe('Owning workspace.'),
  created_at: timestamp.describe('Creation time.'),
  updated_at: timestamp.describe('Time of the last change.'),
})
  .describe('A provider that a workspace has defined.')
  .meta({ id: 'ProviderDefinition' });

/** A definition of a well-known tool, as a starting point. */
export const ProviderPreset = z
  .object({
    preset: z.string().describe('Key of the preset, such as `stripe`.'),
    definition: ProviderDefinitionCreate.describe('The definition, as `defineProvider` accepts it.'),
    sample: z
      .object({
        headers: z.record(z.string(), z.string()).describe('Headers of the call.'),
        body: z.string().describe('The body.'),
      })
      .describe('A call of the tool, without its signature, to try the preview with.'),
  })
  .describe('A definition of a well-known tool, to begin with.')
  .meta({ id: 'ProviderPreset' });

/** Body of `POST /workspaces/{id}/providers/preview`. */
export const ProviderPreviewRequest = z
  .strictObject({
    definition: ProviderDefinitionCreate.optional().describe('A definition that need not be stored.'),
    provider_id: id('provider').optional().describe('A stored definition, in place of `definition`.'),
    body: z
      .string()
      .max(LIMITS.bodyBytes, `must have at most ${LIMITS.bodyBytes} characters`)
      .describe('The body of the call, exactly as the tool sends it: signatures are over its bytes.'),
    headers: dictionary(text(0, LIMITS.credentialMax), 100)
      .optional()
      .describe('The headers of the call. Default `Content-Type: application/json`.'),
    query: dictionary(text(0, LIMITS.credentialMax), 20)
      .optional()
      .describe('The query parameters of the call.'),
    secret: text(1, LIMITS.credentialMax)
      .meta({ format: 'password' })
      .optional()
      .describe('Secret or public key to check the call with. Default: the call is not verified.'),
  })
  .describe('A definition, and a call to read with it.')
  .meta({ id: 'ProviderPreviewRequest' });

/** Response of `POST /workspaces/{id}/providers/preview`. */
export const ProviderPreview = z
  .object({
    verification: z
      .object({
        result: z
          .enum(['verified', 'refused', 'unchecked'])
          .describe('`unchecked`: the request had no secret.'),
        reason: z
          .string()
          .nullable()
          .describe('Reason why the call is refused or unchecked; otherwise `null`.'),
      })
      .describe('The verification of the call.'),
    outcome: z
      .enum(['event', 'ping', 'handshake', 'malformed'])
      .describe('Result of the call if it passes verification.'),
    reason: z.string().nullable().describe('Reason why the call makes no event; otherwise `null`.'),
    event: z
      .object({
        type: z.string().describe('Event type.'),
        source: z.string().describe('Provider key.'),
        summary: EventSummary.describe('The normalized view of the payload.'),
        dedupe_key: z.string().describe('Key for deduplication: calls with the same key make one event.'),
      })
      .nullable()
      .describe('The event; `null` if the call makes none.'),
    answer: z.string().nullable().describe('Response to a handshake; otherwise `null`.'),
  })
  .describe('The result of a preview. Nothing is stored.')
  .meta({ id: 'ProviderPreview' });
