import { ID_ALPHABET } from '@hubline/contract/constants';
import type { ListedEvent } from '@hubline/contract/types';
import { randomBytes } from 'node:crypto';

/** A new ID in the form of the API: a prefix and 26 characters of lower-case base32. */
export function newId(prefix: 'dlv' | 'evt' | 'aut' | 'run' | 'int' | 'usr' | 'ws' | 'whk' | 'nrl'): string {
  // The first character has only three bits: 26 characters would be 130 bits, and an ID has 128.
  const text = Array.from(randomBytes(26), (byte, index) => ID_ALPHABET[byte & (index === 0 ? 7 : 31)]);
  return `${prefix}_${text.join('')}`;
}

/** A string, a bracket, a comma, a colon, or a number or word. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/**
 * The source text of a member of a JSON object, byte for byte: parsing and printing would change numbers beyond 2^53, `1.0` and
 * repeated keys. The text must be valid JSON; of a repeated name, the last counts, as in `JSON.parse`.
 */
export function memberText(json: string, name: string): string | undefined {
  let depth = 0;
  let key: string | undefined;
  let start = -1;
  let found: string | undefined;
  let previous = '';
  let end = 0;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (depth === 1 && (token === ',' || token === '}')) {
      if (key === name && start >= 0) found = json.slice(start, end);
      start = -1;
    } else if (depth === 1 && token === ':' && start === -1) {
      key = JSON.parse(previous) as string;
      // The value begins with the next token.
      start = -2;
    } else if (start === -2) {
      start = index;
    }
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    previous = token;
    end = index + token.length;
  }
  return found;
}

/** A call as the delivery engine makes it: its bytes are made once and are the same on every attempt. */
export interface Outgoing {
  /** The delivery ID. */
  readonly id: string;
  /** The trigger. */
  readonly trigger: string;
  /** The type of the event, such as `push`; `null` for other triggers. */
  readonly type: string | null;
  readonly eventId: string | null;
  readonly body: string;
}

interface Rest {
  /** The source text of the payload. */
  readonly payload: string;
  /** The provider of the event's integration. */
  readonly integrationType: string;
}

/** An event in the envelope of a delivery: the same members in the same order as the server's own engine writes them. */
export function eventEnvelope(event: ListedEvent, { payload, integrationType }: Rest): Outgoing {
  const { event_id: eventId, workspace_id, integration_id, source, type, summary } = event;
  const id = deliveryIdOf(eventId);
  const timestamp = summary.occurred_at ?? event.created_at;
  const data = JSON.stringify({
    integration_id,
    integration_type: integrationType,
    event_source: source,
    event_id: eventId,
    event_type: type,
    summary,
  });
  const members = [
    ...Object.entries({ id, type: 'event.created', created_at: timestamp, workspace_id }).map(
      ([name, value]) => `"${name}":${JSON.stringify(value)}`,
    ),
    `"data":${data.slice(0, -1)},"payload":${payload}}`,
    `"event":${JSON.stringify({ id: eventId, timestamp })}`,
  ];
  return { id, trigger: 'event.created', type, eventId, body: `{${members.join(',')}}` };
}

/** The same event has the same delivery ID whenever it is forwarded, so that a receiver can recognize a repetition. */
function deliveryIdOf(eventId: string): string {
  return eventId.replace(/^evt_/, 'dlv_');
}
