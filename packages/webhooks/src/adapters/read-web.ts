import { concatBytes } from '../bytes.ts';
import { WebhookVerificationError } from '../error.ts';

/** The raw body of a fetch `Request`, read no further than `limit` bytes. */
export async function readWeb(request: Request, limit: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked) throw new WebhookVerificationError('body_already_parsed');
  if (Number(request.headers.get('content-length')) > limit)
    throw new WebhookVerificationError('payload_too_large');
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      // Negated, so that a limit of NaN refuses instead of reading without end.
      if (!(length <= limit)) break;
      chunks.push(read.value);
    }
  } catch (cause) {
    throw new WebhookVerificationError('unreadable_body', '', cause);
  }
  if (length <= limit) return concatBytes(chunks);
  // Not awaited: some runtimes settle it only when the client stops sending.
  reader.cancel().catch(() => undefined);
  throw new WebhookVerificationError('payload_too_large');
}
