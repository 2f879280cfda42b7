import { readPath } from '../../json/json-pointer.ts';
import { isSecretName, MASK } from '../mask-secrets.ts';
import { firstText, firstTime, firstUrl, isExact, paths } from '../reading.ts';
import { cut } from '../../cut.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  oneLine,
  TEXT_MAX,
  type Severity,
  type SummaryEntity,
} from './summary.ts';

// Severities by the words that tools use, from log levels to incident priorities. A `Map`, because the words come from outside.
const SEVERITIES = new Map<string, Severity>([
  ['critical', 'critical'],
  ['fatal', 'critical'],
  ['emergency', 'critical'],
  ['p1', 'critical'],
  ['high', 'high'],
  ['error', 'high'],
  ['p2', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['warning', 'medium'],
  ['warn', 'medium'],
  ['p3', 'medium'],
  ['low', 'low'],
  ['minor', 'low'],
  ['p4', 'low'],
]);

/** The severity that a tool means by a word, whatever its case; `undefined` for words that are not usual. */
export const severityOfWord = (word: string): Severity | undefined => SEVERITIES.get(word.toLowerCase());

// Objects that an event is about, under the names that GitHub, GitLab, Sentry, Stripe and on-call tools give
// them. `null`: the payload itself names the kind.
const SUBJECTS = Object.entries({
  '/object_attributes': null,
  '/pull_request': 'pull_request',
  '/issue': 'issue',
  '/discussion': 'discussion',
  '/release': 'release',
  '/workflow_run': 'workflow_run',
  '/check_run': 'check_run',
  '/deployment': 'deployment',
  '/data/issue': 'issue',
  '/data/event': 'event',
  '/data/error': 'error',
  '/data/object': null,
  '/incident': 'incident',
  '/alert': 'alert',
  '/ticket': 'ticket',
  '/build': 'build',
}).map(([pointer, kind]) => ({ root: pointer.split('/').slice(1), kind }));
const TYPE = paths('/type');
const KINDS = paths('/object_kind', '/data/object/object');
const NAMES = paths('/title', '/name', '/subject', '/summary');
const NESTED_NAMES = [...NAMES, ...paths('/display_title', '/tag_name', '/description', '/ref', '/message')];
const IDS = paths('/id', '/key', '/uuid');
const NESTED_IDS = [...paths('/number', '/iid'), ...IDS];
const URLS = paths('/html_url', '/web_url', '/permalink', '/url', '/link');

const ACTORS = paths(
  '/actor/name',
  '/actor/login',
  '/actor',
  '/sender/login',
  '/user/name',
  '/user/login',
  '/user/username',
  '/user',
  '/author/name',
  '/author',
  '/user_name',
  '/user_username',
  '/username',
  '/pusher/name',
  '/event/user',
);
const ACTOR_IDS = paths('/actor/id', '/sender/id', '/user/id', '/author/id', '/user_id');

const CONTAINERS = [
  { kind: 'repo', names: paths('/repository/full_name'), urls: paths('/repository/html_url') },
  {
    kind: 'project',
    names: paths('/project/path_with_namespace', '/project/name', '/project_name', '/project'),
    urls: paths('/project/web_url'),
  },
  { kind: 'channel', names: paths('/event/channel', '/channel/name', '/channel'), urls: [] },
];

const ACTIONS = paths(
  '/action',
  '/object_attributes/action',
  '/object_attributes/state',
  '/object_attributes/status',
  '/status',
  '/state',
);
const RATINGS = paths(
  '/severity',
  '/priority',
  '/level',
  '/data/event/level',
  '/data/issue/level',
  '/event/level',
  '/incident/severity',
  '/alert/severity',
);
const TIMES = paths('/occurred_at', '/timestamp', '/created_at', '/time', '/event_time', '/created');

// A text that somebody wrote comes before the name of the subject; whole texts come after it.
const WRITTEN = paths(
  '/comment/body',
  '/review/body',
  '/object_attributes/note',
  '/head_commit/message',
  '/event/text',
  '/text',
  '/message',
  '/message/text',
  '/msg',
  '/description',
);
const WHOLE_TEXTS = paths(
  '/data/text',
  '/data/message',
  '/body',
  '/content',
  '/commits/0/title',
  '/commits/0/message',
);

// The paths from which each part of a summary is read. A payload has few of their first names, so the paths
// under all others are skipped: reading them took a microsecond for every event (measured).
const PATHS = {
  actor: ACTORS,
  action: ACTIONS,
  rating: RATINGS,
  time: TIMES,
  written: WRITTEN,
  whole: WHOLE_TEXTS,
  subject: [...SUBJECTS.map(({ root }) => root), ...NAMES, ...IDS, ...URLS],
  container: CONTAINERS.flatMap(({ names }) => names),
};
type SummaryPart = keyof typeof PATHS;

/** A bit for each part. */
const BIT = Object.fromEntries(Object.keys(PATHS).map((part, index) => [part, 1 << index])) as Record<
  SummaryPart,
  number
>;
const EVERYTHING = ~0;
/** The bits of the parts that a first name may have. */
const bitsOf = new Map<string, number>();
for (const [part, paths] of Object.entries(PATHS) as [SummaryPart, readonly (readonly string[])[]][])
  for (const [first = ''] of paths) bitsOf.set(first, (bitsOf.get(first) ?? 0) | BIT[part]);

/**
 * Summarizes an event by the field names that most tools use. None is guaranteed: a missing part is `null`. No
 * secret that can be recognized by its name or form appears in the summary. `type` is the type of the event.
 */
export function summarize(type: string, payload: Readonly<Record<string, unknown>>): EventSummary {
  const bits = bitsIn(payload);
  if (bits === 0) return { ...EMPTY_SUMMARY, text: pairs(payload) };
  const mayHave = (part: SummaryPart) => (bits & BIT[part]) !== 0;
  const textOf = (part: 'actor' | 'action' | 'rating' | 'written' | 'whole') =>
    mayHave(part) ? firstText(payload, PATHS[part]) : null;
  const actor = textOf('actor');
  // Stripe's type says what happened, in full.
  const action = payload['object'] === 'event' ? firstText(payload, TYPE) : textOf('action');
  const nested = mayHave('subject') ? nestedSubject(payload) : null;
  const subject = nested ?? (mayHave('subject') ? rootSubject(type, payload) : null);
  return {
    ...EMPTY_SUMMARY,
    action,
    actor: actor === null ? null : { id: firstText(payload, ACTOR_IDS), name: actor },
    subject,
    container: mayHave('container') ? container(payload) : null,
    text:
      textOf('written') ??
      (nested ? genericLine(nested, actor, action) : (subject?.name ?? null)) ??
      textOf('whole') ??
      pairs(payload),
    severity: severityOfWord(textOf('rating') ?? '') ?? 'none',
    occurred_at: mayHave('time') ? firstTime(payload, TIMES) : null,
  };
}

// Beyond this, a lookup of each place costs less than a look at each name.
const NAMES_MAX = 1_000;

/** The bits of the parts that the names of a payload may have; 0 if it has none of the usual names. */
function bitsIn(payload: Readonly<Record<string, unknown>>): number {
  let bits = 0;
  let looked = 0;
  for (const name in payload) {
    if ((looked += 1) > NAMES_MAX) return EVERYTHING;
    bits |= bitsOf.get(name) ?? 0;
  }
  return bits;
}

function nestedSubject(payload: unknown): SummaryEntity | null {
  for (const { root, kind } of SUBJECTS) {
    const value = readPath(payload, root);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const name = firstText(value, NESTED_NAMES);
    const id = firstText(value, NESTED_IDS);
    const url = firstUrl(value, URLS);
    if (name === null && id === null && url === null) continue;
    return { kind: kind ?? firstText(payload, KINDS), id, name, url };
  }
  return null;
}

function rootSubject(type: string, payload: unknown): SummaryEntity | null {
  const name = firstText(payload, NAMES);
  const id = firstText(payload, IDS);
  const url = firstUrl(payload, URLS);
  return name === null && id === null && url === null ? null : { kind: type, id, name, url };
}

function container(payload: unknown): SummaryEntity | null {
  for (const { kind, names, urls } of CONTAINERS) {
    const name = firstText(payload, names);
    if (name !== null) return { kind, id: name, name, url: firstUrl(payload, urls) };
  }
  return null;
}

// `octocat: pull request opened: Update the README`
function genericLine(
  { kind, name }: SummaryEntity,
  actor: string | null,
  action: string | null,
): string | null {
  const noun = kind === null || action?.startsWith(`${kind}.`) ? '' : kind;
  const what = `${noun} ${action ?? ''}`.replaceAll('_', ' ').trim();
  return cut([actor, what, name].filter(Boolean).join(': '), TEXT_MAX) || null;
}

const PARTS_MAX = 6;
const PART_MAX = 60;
const PART_LOOK = 1_000;
const LOOKED_AT = 50;

// `service: web · version: 1.4.2`: all that can be said of a payload without any of the usual names.
function pairs(payload: Readonly<Record<string, unknown>>): string | null {
  const said: string[] = [];
  const names: string[] = [];
  let looked = 0;
  // It reads little more than it shows, because a payload can be 25 MB.
  for (const name in payload) {
    if (said.length === PARTS_MAX || (looked += 1) > LOOKED_AT) break;
    const value = payload[name];
    if (typeof value === 'object' && value !== null) names.push(part(name));
    const text = plain(value);
    if (text !== '') said.push(`${part(name)}: ${isSecretName(name) ? MASK : part(text)}`);
  }
  return cut(said.length > 0 ? said.join(' · ') : names.slice(0, PARTS_MAX).join(', '), TEXT_MAX) || null;
}

/** A text, number or boolean as it was written; empty for everything else. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || (typeof value === 'number' && isExact(value)) ? String(value) : '';
}

// Masked before it is cut, because part of a key would not look like a key.
const part = (text: string): string => cut(oneLine(text.slice(0, PART_LOOK)), PART_MAX);
