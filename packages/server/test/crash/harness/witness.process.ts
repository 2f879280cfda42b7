/**
 * A receiver in its own process. It writes every call to the disk before it responds, so that its evidence is independent
 * of the server's.
 *
 *   node witness.process.ts <WitnessInput as JSON>
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startMailbox } from '../../api/support/stand-ins/mailbox.ts';
import { DurableLog } from './durable-log.ts';
import type { Mailed } from './judge/judge-mails.ts';

/** The input of a witness. */
export interface WitnessInput {
  log: string;
  /** The file for mails. */
  mailLog: string;
  secret: string;
  /** The most failed attempts of a delivery that is chosen to fail. */
  failures: number;
  /** The first call of a delivery gets its response, a 500, only after the second has got a 200 at once. */
  holdFirst?: boolean;
  /** The first call of a delivery gets a 500, and every other a 200. */
  failFirst?: boolean;
}

/** One call, as the witness saw it. */
export interface Call {
  at: number;
  /** The path of the webhook's URL. */
  webhook: string;
  /** The delivery and the number of the attempt, from the headers. */
  id: string;
  attempt: number;
  /** The number in the event. */
  n: number;
  /** The hash of the body. */
  digest: string;
  signed: boolean;
  /** The status of the response. */
  status: number;
}

/** The number of deliveries seen, reported to the parent now and then. */
export interface Progress {
  url?: string;
  /** Its mail server. */
  smtpUrl?: string;
  seen?: number;
}

const PROGRESS_MS = 20;
// One in this many attempts fails: the first, and those after a failure.
const FAILING = { first: 8, further: 3 };
const SLOW_ONE_IN = 10;
const SLOW_MS = 200;
// Long enough for the result of a call to be recorded.
const RECORDED_MS = 500;

const {
  log: path,
  mailLog,
  secret,
  failures,
  holdFirst = false,
  failFirst = holdFirst,
} = JSON.parse(process.argv[2] ?? '') as WitnessInput;
const log = new DurableLog(path);
const seen = new Set<string>();
/** Functions that respond to the held first call of a delivery. */
const held = new Map<string, () => void>();

const mails = new DurableLog(mailLog);
const mailbox = await startMailbox(0, ({ to: [to = ''], messageId }) =>
  mails.append({ at: Date.now(), to, messageId } satisfies Mailed),
);

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  void (async () => {
    const at = Date.now();
    const body = await buffer(request);
    const { id, data } = JSON.parse(body.toString()) as { id: string; data: { payload: { n: number } } };
    const attempt = Number(request.headers['x-service-attempt']);
    const fails = failFirst && !seen.has(id);
    const holds = holdFirst && fails;
    seen.add(id);
    const { status, delayMs } = fails ? { status: 500, delayMs: 0 } : responseTo(id, attempt);
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const call: Call = {
      at,
      webhook: request.url ?? '',
      id,
      attempt,
      n: data.payload.n,
      digest: createHash('sha256').update(body).digest('base64url'),
      signed: request.headers['x-service-signature'] === signature,
      status,
    };
    await log.append(call);
    if (holds) await new Promise<void>((resolve) => held.set(id, resolve));
    else setTimeout(() => held.get(id)?.(), RECORDED_MS);
    setTimeout(() => response.writeHead(status).end(), delayMs);
    // A call whose caller died in the middle of it does not count.
  })().catch(() => response.destroy());
});

/**
 * Decides by delivery and attempt which calls fail and which take long, so that a repeated attempt gets the same
 * response.
 */
function responseTo(id: string, attempt: number): { status: number; delayMs: number } {
  if (failFirst) return { status: 200, delayMs: 0 };
  const chance = createHash('sha256').update(`${id} ${attempt}`).digest();
  const failing =
    attempt <= failures && chance.readUInt8(0) % (attempt === 1 ? FAILING.first : FAILING.further) === 0;
  const slow = chance.readUInt8(1) % SLOW_ONE_IN === 0;
  return { status: failing ? 500 : 200, delayMs: slow ? SLOW_MS : 0 };
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, smtpUrl: mailbox.url } satisfies Progress);
});
setInterval(() => process.send?.({ seen: seen.size } satisfies Progress), PROGRESS_MS);
process.once('disconnect', () => process.exit());
