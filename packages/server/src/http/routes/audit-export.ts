import type { EndpointInput } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import { invalid } from '../../domain/faults/fault.ts';
import { encode } from '../../domain/json/encoded.ts';
import type { ByteBudget } from '../../limits/byte-budget.ts';
import { exportAuditLog, listAuditLog } from '../../services/audit-log.ts';
import type { Outgoing } from '../front/open-requests.ts';
import { jsonReply } from '../response/json-reply.ts';
import type { Reply } from '../response/reply.ts';
import type { HandledRequest, HttpDeps } from '../handled-request.ts';
import type { Input } from '../pipeline.ts';
import { writeTo } from './message-stream.ts';

type ListInput = EndpointInput<'auditLog.list'>;

// The memory of an export; one with large entries takes more while it sends them.
const EXPORT_BYTES = 256 * 1024;

/** The audit log as JSON pages or, with `format=csv` or `Accept: text/csv`, as one CSV stream. */
export function respondAuditLog({ budgets }: HttpDeps) {
  return async (context: WorkspaceContext, input: Input, handled: HandledRequest): Promise<Reply> => {
    const typed = input as ListInput;
    const { format, cursor } = typed.query;
    const csv = format === undefined ? prefersCsv(handled.incoming.headers.accept ?? '') : format === 'csv';
    if (!csv) return jsonReply(handled, 200, encode(await listAuditLog(context, typed)));
    if (cursor !== undefined) throw invalid('cursor', 'must be absent for CSV, which has every match');
    const name = `audit-log-${context.now.toISOString().slice(0, 10)}.csv`;
    const lines = await exportAuditLog(context, typed);
    return {
      status: 200,
      headers: {
        ...handled.headers,
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'no-store',
      },
      marksEnd: true,
      write: (outgoing) => writeLines(context, { lines, outgoing, budget: budgets.streams }),
    };
  };
}

/** Reports whether a client that accepts these types asks for CSV, and does not rank JSON above it. */
function prefersCsv(accept: string): boolean {
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const quality = parameters.find((part) => part.startsWith('q='));
    return { type, quality: quality === undefined ? 1 : Number(quality.slice('q='.length)) };
  });
  const best = (types: readonly string[]) =>
    Math.max(0, ...ranges.filter(({ type }) => types.includes(type)).map(({ quality }) => quality));
  const csv = best(['text/csv']);
  return csv > 0 && csv >= best(['application/json', 'application/*', '*/*']);
}

interface Export {
  lines: AsyncIterable<string>;
  outgoing: Outgoing;
  budget: ByteBudget;
}

/**
 * Writes lines as the client reads them. If that fails, the connection is cut: a response that ends normally would look
 * complete.
 */
async function writeLines(
  { log, requestId, access }: WorkspaceContext,
  { lines, outgoing, budget }: Export,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  try {
    const room = await budget.reserve(access.workspaceId, EXPORT_BYTES);
    try {
      for await (const some of lines) {
        const bytes = Buffer.from(some);
        room.require(Math.max(EXPORT_BYTES, bytes.length));
        await writeTo(outgoing, [bytes], gone.signal);
      }
    } finally {
      room.release();
    }
    outgoing.end();
  } catch (error) {
    if (!gone.signal.aborted) log.error({ err: error, request_id: requestId }, 'an export was cut off');
    outgoing.destroy();
  }
}
