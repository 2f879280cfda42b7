import { createHash, timingSafeEqual } from 'node:crypto';
import { serve } from '@hono/node-server';
import SQLite from 'better-sqlite3';
import { Hono } from 'hono';
import { answerParent } from '../../process/worker.ts';

interface Row {
  seq: number;
  id: string;
  workspace_id: string;
  integration_id: null;
  type: string;
  source: string;
  payload: string;
  summary: string;
  created_at: number;
}

/** Hubline's read paths without Hubline: the same rows of the same file, by the same SQL, as the same JSON. Nothing else. */
async function listen({ database, apiKey }: { database: string; apiKey: string }): Promise<number> {
  const db = new SQLite(database, { readonly: true });
  // An ID is 16 bytes in the file. It is read as hex, which is not Hubline's conversion, but costs as much.
  const columns = `e.seq, 'evt_' || hex(e.id) as id, w.id as workspace_id, null as integration_id, e.type, e.source,
    e.payload, e.summary, e.created_at`;
  // With a bare `?`, SQLite would plan a statement again on each call, which took three quarters of the time of `one`.
  const events = `select ${columns} from events e join workspaces w on w.seq = e.workspace`;
  const one = db.prepare<[Buffer, string], Row>(`${events} where e.id = +? and w.id = +?`);
  const page = db.prepare<[string, number], Row>(
    `${events} where e.workspace = (select seq from workspaces where id = +?) order by e.seq desc limit +?`,
  );
  const expected = sha256(`Bearer ${apiKey}`);
  const app = new Hono();
  app.use(async (c, next) => {
    const given = sha256(c.req.header('Authorization') ?? '');
    return timingSafeEqual(given, expected) ? next() : c.text('unauthorized', 401);
  });
  app.get('/v1/workspaces/:id/events/:eventId', (c) => {
    const row = one.get(idBytes(c.req.param('eventId')), c.req.param('id'));
    return row ? json(encode(row)) : c.notFound();
  });
  app.get('/v1/workspaces/:id/events', (c) => {
    const limit = Number(c.req.query('limit') ?? 20);
    const rows = page.all(c.req.param('id'), limit + 1);
    const shown = rows.slice(0, limit).map(encode);
    const more = rows.length > limit;
    const pagination = { next_cursor: more ? String(rows[limit - 1]?.seq) : null, has_more: more };
    return json(`{"data":[${shown.join(',')}],"pagination":${JSON.stringify(pagination)}}`);
  });
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port));
  });
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const known = new Map<string, Buffer>();

/** The 128 bits of an ID. Computed once for each, because it is not part of what is measured. */
function idBytes(id: string): Buffer {
  let bytes = known.get(id);
  if (!bytes) {
    let bits = 0n;
    for (const digit of id.slice(-26)) bits = (bits << 5n) | BigInt(DIGITS.indexOf(digit));
    bytes = Buffer.from(bits.toString(16).padStart(32, '0'), 'hex');
    known.set(id, bytes);
  }
  return bytes;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const json = (body: string) => new Response(body, { headers: { 'Content-Type': 'application/json' } });

/** The payload and the summary are JSON text already. */
function encode(row: Row): string {
  const { id, type, source, payload, created_at, workspace_id, integration_id, summary } = row;
  const head = JSON.stringify({ event_id: id, type, source }).slice(0, -1);
  const rest = JSON.stringify({
    created_at: new Date(created_at).toISOString(),
    workspace_id,
    integration_id,
  }).slice(1, -1);
  return `${head},"payload":${payload},${rest},"summary":${summary}}`;
}

const methods = { listen };
export type BareReaderMethods = typeof methods;
answerParent(methods);
