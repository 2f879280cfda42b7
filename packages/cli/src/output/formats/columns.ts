import type { AnyView } from '../../spec/view.ts';
import type { Style } from '../../terminal/io.ts';
import { visible } from '../../terminal/text.ts';
import { toText, valueAt } from '../fields.ts';
import { isTimeField, relativeTime } from '../time.ts';

/** A column with all of its options. */
export interface ResolvedColumn {
  readonly path: string;
  readonly header: string;
  readonly flexible: boolean;
  readonly optional: boolean;
  /** Says which thing the row is about: its ID, and its name. */
  readonly identifies: boolean;
  /** Says which state the thing is in, which is what people look for in a list: delivered, changed, refused. */
  readonly state: boolean;
  /** A one-time secret, which is never left out or cut. */
  readonly secret: boolean;
  /** The value as text on one line. */
  readonly text: (value: unknown) => string;
}

const HEADERS: Readonly<Record<string, string>> = {
  created_at: 'CREATED',
  joined_at: 'JOINED',
  connected_at: 'CONNECTED',
  started_at: 'STARTED',
  last_used_at: 'LAST USED',
  last_synced_at: 'LAST SYNCED',
};

// The first of these that a view has: a recovery has a status, and what it has matched is a count.
const STATES = ['status', 'change', 'success', 'matched'];

/** The columns of a view, and those of its secrets: a table must not lose what is shown only now. */
export function columnsOf({ columns, id, oneTimeSecrets = [] }: AnyView): ResolvedColumn[] {
  const paths = columns.map((column) => (typeof column === 'string' ? column : column.path));
  const state = STATES.find((path) => paths.includes(path));
  return [...columns, ...oneTimeSecrets.filter((path) => !paths.includes(path))].map((column) => {
    const named: Exclude<AnyView['columns'][number], string> =
      typeof column === 'string' ? { path: column } : column;
    const { path, header, flexible = false, optional = false, text = toText } = named;
    const title = HEADERS[path] ?? path.split('.').at(-1)?.replaceAll('_', ' ').toUpperCase() ?? path;
    return {
      path,
      header: header ?? title,
      flexible,
      optional,
      state: path === state,
      identifies: path === id || path === nameOf(columns),
      secret: oneTimeSecrets.includes(path),
      // The column's own text is for a value that is there: a size would print null as 0.
      text: (value) => (value === null || value === undefined ? '' : text(value)),
    };
  });
}

/** The column with the name of a thing, or what is most like one: the first that may be long. */
function nameOf(columns: AnyView['columns']): string | undefined {
  const long = columns.filter((column) => typeof column !== 'string' && column.flexible);
  const paths = (some: AnyView['columns']) =>
    some.map((column) => (typeof column === 'string' ? column : column.path));
  return paths(columns).find((path) => path === 'name') ?? paths(long)[0];
}

const GOOD = ['active', 'connected', 'delivered', 'accepted', 'succeeded', 'sent'];
const BAD = ['failed', 'error', 'revoked', 'expired', 'disconnected'];
const PENDING = ['retrying', 'held', 'invited', 'pending', 'disabled'];

/** A status in its color. */
export function paintStatus(text: string, style: Style): string {
  const state = text.trim();
  if (GOOD.includes(state)) return style.green(text);
  if (BAD.includes(state)) return style.red(text);
  return PENDING.includes(state) ? style.yellow(text) : text;
}

/** A value for people: relative times, yes and no, a dash for nothing, and no characters that act on the terminal. */
export function humanText(
  item: unknown,
  { path, text }: ResolvedColumn,
  { now, brief }: { now: number; brief: boolean },
): string {
  const value = valueAt(item, path);
  if (typeof value === 'string' && isTimeField(path)) return relativeTime(value, now, { brief });
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return visible(text(value)) || '-';
}
