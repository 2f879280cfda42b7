import { DELIVERY_HEADERS } from '@hubline/contract/constants';
import { hexKeyOf, quoted } from '../../components/code/shell-samples.ts';

/** The example "by hand, anywhere" of the README of @hubline/webhooks, where it is run; a test compares them. */
const TYPESCRIPT = `import { isWebhookVerificationError, unwrap } from '@hubline/webhooks';

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await unwrap(request, {
      secret: process.env.HUBLINE_WEBHOOK_SECRET,
    });
    console.log(event.type, event.id);
    return new Response();
  } catch (error) {
    if (!isWebhookVerificationError(error)) throw error;
    return new Response(error.message, { status: error.status });
  }
}`;

const KEY = hexKeyOf('HUBLINE_WEBHOOK_SECRET');

const OPENSSL = `# body.json: the body exactly as it came, with no newline added.
# Both values must be those of the call's headers.

# ${DELIVERY_HEADERS.signature}
openssl dgst -sha256 -hmac "$HUBLINE_WEBHOOK_SECRET" -r < body.json | cut -d ' ' -f 1

# ${DELIVERY_HEADERS.standardSignature}, from the headers ${DELIVERY_HEADERS.standardId} and ${DELIVERY_HEADERS.standardTimestamp}
id=dlv_…
timestamp=…
${KEY}
printf 'v1,'
{ printf '%s.%s.' "$id" "$timestamp"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A`;

const curl = (
  url: string,
): string => `# A signed call, such as Hubline makes: your receiver must respond with 2xx.
# With another secret, it must respond with 401.
id=dlv_by_hand
timestamp=$(date +%s)
body='{"id":"dlv_by_hand","type":"user.invited","created_at":"'$(date -u +%FT%TZ)'","workspace_id":"ws_by_hand","data":{"email":"ana@example.com","role":"member"}}'
${KEY}
service=$(printf %s "$body" | openssl dgst -sha256 -hmac "$HUBLINE_WEBHOOK_SECRET" -r | cut -d ' ' -f 1)
standard=$(printf '%s.%s.%s' "$id" "$timestamp" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

curl -i ${quoted(url)} \\
  -H 'Content-Type: application/json' \\
  -H "${DELIVERY_HEADERS.signature}: $service" \\
  -H "${DELIVERY_HEADERS.standardId}: $id" \\
  -H "${DELIVERY_HEADERS.standardTimestamp}: $timestamp" \\
  -H "${DELIVERY_HEADERS.standardSignature}: v1,$standard" \\
  --data-binary "$body"`;

/** Samples that check a signature: in a program, and by hand. The secret is in HUBLINE_WEBHOOK_SECRET. */
export const webhookSamples = (url: string): Readonly<Record<string, string>> => ({
  TypeScript: TYPESCRIPT,
  openssl: OPENSSL,
  curl: curl(url),
});
