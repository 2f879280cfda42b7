import type { EndpointInput } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import { encode } from '../../domain/json/encoded.ts';
import { exportAuditLog, listAuditLog } from '../../services/audit-log.ts';
import { jsonReply } from '../response/json-reply.ts';
import type { Reply } from '../response/reply.ts';
import type { HandledRequest } from '../handled-request.ts';
import type { Input } from '../pipeline.ts';

type ListInput = EndpointInput<'auditLog.list'>;

/** The audit log as JSON pages or, with `format=csv` or `Accept: text/csv`, as one CSV stream. */
export async function respondAuditLog(
  context: WorkspaceContext,
  input: Input,
  handled: HandledRequest,
): Promise<Reply> {
  const typed = input as ListInput;
  const accept = handled.incoming.headers.accept ?? '';
  const csv =
    typed.query.format === 'csv' || (typed.query.format === undefined && /\btext\/csv\b/.test(accept));
  if (!csv) return jsonReply(handled, 200, encode(await listAuditLog(context, typed)));
  const name = `audit-log-${context.now.toISOString().slice(0, 10)}.csv`;
  const lines = await exportAuditLog(context, typed);
  return new Response(ReadableStream.from(encoded(context, handled, lines)), {
    headers: {
      ...handled.headers,
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  });
}

/** The lines as bytes. If reading fails, the connection is cut: a response that ends normally would look complete. */
async function* encoded(
  { log, requestId }: WorkspaceContext,
  { outgoing }: HandledRequest,
  lines: AsyncIterable<string>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    for await (const line of lines) yield encoder.encode(line);
  } catch (error) {
    log.error({ err: error, request_id: requestId }, 'an export was cut off');
    outgoing.destroy();
  }
}
