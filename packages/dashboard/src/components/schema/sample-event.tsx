import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { type JsonNode, pathTo, readJson } from '../../data/formats/json-node.ts';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { ErrorPanel } from '../page/error-panel.tsx';
import { JsonTree } from '../code/json-tree.tsx';
import { formatTime } from '../text/time.tsx';
import { toast } from '../dialogs/toast.tsx';
import { PATHS } from './conditions.tsx';
import { insertPath } from './insert-path.ts';

const OFFERED = 30;
/** The types whose events are offered, at most: each takes a request. */
const TYPES = 10;

/** A past event for dry runs. */
export interface Sample {
  /** `undefined` while there is none. */
  readonly id: string | undefined;
  /** The control that chooses another event. */
  readonly picker: preact.JSX.Element;
  /** The values of the event: a click writes the path of one into the field with the cursor. */
  readonly tree: preact.JSX.Element;
}

/** The newest event of the types, or of any if there are none, or another that a person chooses. */
export function useSample(types: readonly string[] | null | undefined): Sample {
  const workspace = useWorkspace();
  const chosen = useSignal('');
  const events = useQuery(
    async (signal) => {
      const lists = (types?.length ? types.slice(0, TYPES) : [undefined]).map((type) =>
        client.events.list(workspace.id, { type, omit: 'payload', limit: OFFERED }, { signal }),
      );
      return (await Promise.all(lists))
        .flatMap(({ data }) => data)
        .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
        .slice(0, OFFERED);
    },
    ['events', workspace.id, 'samples', types?.join('\n')],
  );
  const list = events.data ?? [];
  const id = list.some(({ event_id }) => event_id === chosen.value) ? chosen.value : list[0]?.event_id;
  const text = useQuery(
    async (signal) => id && (await client.events.get(workspace.id, id, { signal }).asResponse()).text(),
    ['events', workspace.id, id, 'sample'],
  );
  const root = useMemo(() => scopeOf(text.data), [text.data]);
  const failed = [events, text].find(({ error }) => error !== undefined);
  return {
    id,
    picker: (
      <select
        class="input pick"
        aria-label="Event to try"
        value={id ?? ''}
        onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
      >
        {id === undefined && <option value="">{events.data ? 'No event yet' : 'Loading'}</option>}
        {list.map(({ event_id, type: name, summary, created_at }) => (
          <option key={event_id} value={event_id}>
            {formatTime(created_at)} {name} {summary.text ?? ''}
          </option>
        ))}
      </select>
    ),
    tree: (
      <>
        {failed && <ErrorPanel of={failed} />}
        {root && (
          <>
            <datalist id={PATHS}>
              {pathsOf(root, '')
                .slice(0, PATHS_MAX)
                .map((path) => (
                  <option key={path} value={path} />
                ))}
            </datalist>
            <JsonTree root={root} label="Event" onPick={pick} />
          </>
        )}
      </>
    ),
  };
}

function pick(path: string): void {
  if (!insertPath(path)) toast('Click a field first; the path is inserted there.');
}

const PATHS_MAX = 200;

/** An event as templates and conditions see it; numbers stay as they were written. */
function scopeOf(text: string | undefined): JsonNode | undefined {
  const event = text === undefined ? undefined : readJson(text);
  if (!event || !('entries' in event)) return undefined;
  const { text: source } = event;
  const entries = event.entries
    .filter(({ key }) => key !== 'deliveries')
    .map((entry) => (entry.key === 'event_id' ? { ...entry, key: 'id' } : entry));
  return { kind: 'object', entries: [{ key: 'event', value: { ...event, entries } }], text: source };
}

function pathsOf(node: JsonNode, path: string): string[] {
  if (!('entries' in node)) return [path];
  return node.entries.flatMap(({ key, value }) => pathsOf(value, pathTo(path, key)));
}
