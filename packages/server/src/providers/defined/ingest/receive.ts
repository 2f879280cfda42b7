import { sentence } from '../../../domain/events/summary/sentence.ts';
import { severityOfWord, summarize } from '../../../domain/events/summary/summarize.ts';
import type { EventSummary, Severity, SummaryEntity } from '../../../domain/events/summary/summary.ts';
import { readAnyBody } from './body.ts';
import type { SuccessResponse, IngestRequest, Received } from '../../provider.ts';
import { bodyHash } from '../../signatures/hmac.ts';
import { typeName } from '../../texts/type-name.ts';
import type { Definition } from '../definition.ts';
import { headersAmong, lineAt, type ReadCall, textAt, timeAt, urlAt } from './read.ts';

/** The part of a definition that says what calls mean. */
export type ReadingRules = Pick<
  Definition,
  'event_type' | 'dedupe_key' | 'pings' | 'handshake' | 'summary'
> & {
  /** The type of events that name none. */
  fallbackType: string;
  source: string;
};

type SummaryRules = NonNullable<Definition['summary']>;

const PLAIN_ID = /^[\x21-\x7e]{1,200}$/;
// Headers that mean "the same delivery again" wherever they are sent.
const COMMON_ID_HEADERS = ['header:webhook-id', 'header:idempotency-key'];
const ECHO_MAX = 1_000;

/** The names of all headers that `receiveCall` reads. */
export function readHeaders({
  event_type: type,
  dedupe_key: key,
  handshake,
  summary,
}: ReadingRules): string[] {
  const parts: (readonly string[] | undefined)[] = [
    type?.from,
    key,
    COMMON_ID_HEADERS,
    handshake?.echo,
    ...placesOf(summary),
  ];
  return ['content-type', ...parts.flatMap((places) => headersAmong(places))];
}

function placesOf({ actor, subject, container, severity, ...rest }: SummaryRules = {}) {
  const entities = [actor, subject, container].flatMap((entity) => Object.values(entity ?? {}));
  return [...Object.values(rest), ...entities, severity?.from].filter((places) => Array.isArray(places));
}

/** Reads an authentic call by the rules. */
export function receiveCall(rules: ReadingRules, { headers, body }: IngestRequest): Received {
  const read = readAnyBody(headers['content-type'], body);
  if (!read.ok) return { kind: 'malformed', issue: read.issue };
  const call = { headers, text: read.text, value: read.value, isSketch: read.isSketch };
  const echo = textAt(call, rules.handshake?.echo);
  if (echo !== undefined && echo.length <= ECHO_MAX)
    return { kind: 'handshake', reason: 'a handshake', response: echoing(echo, rules.handshake?.field) };
  const named = textAt(call, rules.event_type?.from);
  if (named !== undefined && rules.pings?.includes(named))
    return { kind: 'ping', reason: `${typeName(named, 'ping')} is only a test of the URL` };
  const type = typeOf(rules, named);
  return {
    kind: 'event',
    type,
    source: rules.source,
    payload: read.text,
    // From the sketch alone, if there is one: each place that it lacks would take another pass over megabytes of text.
    summary: summaryOf(rules.summary ?? {}, type, { ...call, isSketch: false }),
    dedupeKey: dedupeKey(textAt(call, [...(rules.dedupe_key ?? []), ...COMMON_ID_HEADERS]), body),
  };
}

const echoing = (echo: string, field: string | undefined): SuccessResponse => ({
  status: 200,
  body:
    field === undefined
      ? { type: 'text/plain', text: echo }
      : { type: 'application/json', text: JSON.stringify({ [field]: echo }) },
});

function typeOf({ event_type: rules, fallbackType }: ReadingRules, named: string | undefined): string {
  const fallback = rules?.default ?? fallbackType;
  if (named === undefined) return fallback;
  return own(rules?.map, named) ?? typeName(named, fallback);
}

const own = <Value>(map: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;

function dedupeKey(id: string | undefined, body: Buffer): string {
  if (id === undefined) return bodyHash(body);
  return PLAIN_ID.test(id) ? id : bodyHash(Buffer.from(id));
}

/** The summary; parts that the rules do not name are read from the names that most tools use. */
function summaryOf(rules: SummaryRules, type: string, call: ReadCall): EventSummary {
  const usual = summarize(type, call.value);
  const parts = {
    action: rules.action ? lineAt(call, rules.action) : usual.action,
    actor: rules.actor ? actorOf(rules.actor, call) : usual.actor,
    subject: rules.subject ? entityOf(rules.subject, type, call) : usual.subject,
  };
  // An action equal to the type would say the same twice.
  const noun = parts.action !== null && typeName(parts.action, '') === type ? '' : type;
  // The usual text does not know the subject that these rules name.
  const written = rules.subject ? (sentence(noun, parts) ?? usual.text) : usual.text;
  return {
    ...parts,
    container: rules.container ? entityOf(rules.container, null, call) : usual.container,
    text: rules.text ? lineAt(call, rules.text) : written,
    severity: rules.severity ? severityAt(rules.severity, call) : usual.severity,
    occurred_at: rules.occurred_at ? timeAt(call, rules.occurred_at) : usual.occurred_at,
  };
}

function actorOf(rules: NonNullable<SummaryRules['actor']>, call: ReadCall): EventSummary['actor'] {
  const actor = { id: lineAt(call, rules.id), name: lineAt(call, rules.name) };
  return actor.id === null && actor.name === null ? null : actor;
}

function entityOf(
  rules: NonNullable<SummaryRules['subject']>,
  kind: string | null,
  call: ReadCall,
): SummaryEntity | null {
  const [id, name, url] = [lineAt(call, rules.id), lineAt(call, rules.name), urlAt(call, rules.url)];
  return id === null && name === null && url === null ? null : { kind: rules.kind ?? kind, id, name, url };
}

function severityAt(
  { from, map, default: fallback = 'none' }: NonNullable<SummaryRules['severity']>,
  call: ReadCall,
): Severity {
  const word = textAt(call, from);
  if (word === undefined) return fallback;
  return (map ? own(map, word) : severityOfWord(word)) ?? fallback;
}
