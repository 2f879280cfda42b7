import type { Readable } from 'node:stream';
import type { WebhookBody } from '../body.ts';
import { concatBytes, encodeUtf8 } from '../bytes.ts';
import { WebhookVerificationError } from '../error.ts';

/** The places where the body of a Node request can be: still in the stream, kept raw by a parser, or only parsed. */
export interface NodeBody {
  readonly stream: Readable & { readonly headers?: { readonly 'content-length'?: string | undefined } };
  /** The raw body that Nest (`rawBody: true`), Google Cloud Functions, Firebase and koa-bodyparser keep beside the parsed one. */
  readonly rawBody?: unknown;
  /** Bytes after `express.raw()`, text after `express.text()`, anything after another parser. */
  readonly body?: unknown;
}

/** The raw body of a Node request, wherever it is. Never waits for a stream that has been read already. */
export async function readNode(source: NodeBody, limit: number): Promise<WebhookBody> {
  for (const kept of [source.rawBody, source.body]) {
    if (typeof kept === 'string' || ArrayBuffer.isView(kept)) return kept;
  }
  const { stream } = source;
  // The stream decides, not `body`: Express 4 sets `body` to {} on requests that no parser has touched.
  if (stream.readableDidRead || stream.readableEnded) {
    throw new WebhookVerificationError('body_already_parsed');
  }
  // Refused without reading a byte: Node drains the rest when the response is sent.
  if (Number(stream.headers?.['content-length']) > limit)
    throw new WebhookVerificationError('payload_too_large');
  return readStream(stream, limit);
}

function readStream(stream: Readable, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;

    function onData(chunk: Uint8Array | string): void {
      const bytes = typeof chunk === 'string' ? encodeUtf8(chunk) : chunk;
      length += bytes.length;
      // Negated, so that a limit of NaN refuses instead of reading without end.
      if (!(length <= limit)) finish(() => reject(new WebhookVerificationError('payload_too_large')));
      else chunks.push(bytes);
    }
    function onEnd(): void {
      finish(() => resolve(concatBytes(chunks)));
    }
    // 'close' before 'end' means that the connection broke and 'end' will never come.
    function onBroken(cause?: unknown): void {
      const error = new WebhookVerificationError('unreadable_body', '', cause);
      finish(() => reject(error));
    }
    function finish(settle: () => void): void {
      stream.off('data', onData).off('end', onEnd).off('close', onBroken);
      // The error listener stays: a later error must not become an uncaught exception.
      stream.resume();
      settle();
    }
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    if (stream.destroyed) onBroken();
  });
}
