import type { EndpointInput } from '@hubline/contract';
import type { WorkspaceContext } from '../context.ts';
import { stringify } from '../domain/encoded.ts';
import { exportAuditLog, listAuditLog } from '../services/audit-log.ts';
import { type Exchange, type Input, jsonReply } from './pipeline.ts';
import type { Reply } from './reply.ts';

type ListInput = EndpointInput<'auditLog.list'>;

/** The audit log as JSON pages or, with `format=csv` or `Accept: text/csv`, as one CSV stream. */
export async function respondAuditLog(
  context: WorkspaceContext,
  input: Input,
  exchange: Exchange,
): Promise<Reply> {
  const typed = input as ListInput;
  const accept = exchange.incoming.headers.accept ?? '';
  const csv =
    typed.query.format === 'csv' || (typed.query.format === undefined && /\btext\/csv\b/.test(accept));
  if (!csv) return jsonReply(exchange, 200, stringify(await listAuditLog(context, typed)));
  const name = `audit-log-${context.now.toISOString().slice(0, 10)}.csv`;
  return new Response(ReadableStream.from(encoded(await exportAuditLog(context, typed))), {
    headers: {
      ...exchange.headers,
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  });
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(line);
}
