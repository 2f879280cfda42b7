import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type JsonBranch, type JsonEntry, type JsonNode, pathTo } from '../../data/formats/json-node.ts';
import { visibleText } from '../../data/formats/visible-text.ts';
import { copyWithToast } from '../dialogs/copy-with-toast.ts';

interface JsonTreeProps {
  readonly root: JsonNode;
  readonly label: string;
  /** Only branches that contain this text are unfolded, and the text is highlighted. Of a long list, only the entries that contain it are shown. */
  readonly search?: string;
  /** Called with the path of a name or a value that is clicked, instead of copying. */
  readonly onPick?: (path: string) => void;
}

/** Values that are deeper or longer than this are folded at first. */
const OPEN_DEPTH = 2;
const OPEN_ENTRIES = 30;
/** The depth while a value is to be picked: more of the tree is unfolded. */
const PICK_DEPTH = 4;
/** Entries that are shown at a time: a list may have a hundred thousand. */
const SHOWN_ENTRIES = 200;

/** Foldable JSON in colors. A click on a value copies it; a click on a name copies its path. */
export function JsonTree({ root, label, search = '', onPick }: JsonTreeProps) {
  const needle = search.toLowerCase();
  const hits = useMemo(() => (needle === '' ? undefined : holding(root, needle)), [root, needle]);
  return (
    <div class="json" role="region" aria-label={label} tabIndex={0}>
      {hits?.size === 0 && (
        <p class="faint" role="status">
          Nothing here contains “{search}”.
        </p>
      )}
      <Value node={root} path="" depth={0} last hits={hits} needle={needle} onPick={onPick} />
    </div>
  );
}

type Hits = ReadonlySet<JsonNode | JsonEntry>;

interface ValueProps {
  readonly node: JsonNode;
  readonly name?: string | undefined;
  readonly path: string;
  readonly depth: number;
  readonly last: boolean;
  /** The branches and entries that contain the search text. */
  readonly hits: Hits | undefined;
  readonly needle: string;
  readonly onPick: ((path: string) => void) | undefined;
}

function Value(props: ValueProps) {
  const { node, name, path, last, needle, onPick } = props;
  if ('entries' in node) return <Branch {...props} node={node} />;
  return (
    <span class="jl">
      <Name name={name} path={path} needle={needle} onPick={onPick} />
      <button
        type="button"
        class={`jv j-${node.kind[0]}`}
        title={onPick ? `Use ${path}` : 'Copy the value'}
        onClick={() => (onPick ? onPick(path) : void copyWithToast(plain(node), 'The value was copied.'))}
      >
        <Marked text={node.text} needle={needle} />
      </button>
      {!last && <span class="j-p">,</span>}
    </span>
  );
}

function Branch({ node, name, path, depth, last, hits, needle, onPick }: ValueProps & { node: JsonBranch }) {
  const { entries, kind } = node;
  const shown = useSignal(SHOWN_ENTRIES);
  const [open, close] = kind === 'object' ? '{}' : '[]';
  const comma = last ? '' : ',';
  if (entries.length === 0)
    return (
      <span class="jl">
        <Name name={name} path={path} needle={needle} onPick={onPick} />
        <span class="j-p">
          {open}
          {close}
          {comma}
        </span>
      </span>
    );
  const unfolded = hits
    ? hits.has(node)
    : depth < (onPick ? PICK_DEPTH : OPEN_DEPTH) && (depth === 0 || entries.length <= OPEN_ENTRIES);
  const listed =
    hits?.has(node) && entries.length > SHOWN_ENTRIES ? entries.filter((each) => hits.has(each)) : entries;
  const [one, many] = kind === 'object' ? ['field', 'fields'] : ['item', 'items'];
  return (
    <Fold open={unfolded} key={String(unfolded)}>
      {(isOpen) => (
        <>
          <summary class="jl">
            <Name name={name} path={path} needle={needle} onPick={onPick} folds />
            <span class="j-p">{open}</span>
            <span class="more">
              {entries.length} {entries.length === 1 ? one : many}
            </span>
            <span class="j-p shut-only">
              {close}
              {comma}
            </span>
          </summary>
          {isOpen && (
            <>
              <div class="kids">
                {listed.slice(0, shown.value).map(({ key, value }) => (
                  <Value
                    key={key}
                    node={value}
                    name={kind === 'object' ? String(key) : undefined}
                    path={pathTo(path, key)}
                    depth={depth + 1}
                    last={value === entries.at(-1)?.value}
                    hits={hits}
                    needle={needle}
                    onPick={onPick}
                  />
                ))}
                {listed.length > shown.value && (
                  <button type="button" class="jl link" onClick={() => (shown.value += SHOWN_ENTRIES)}>
                    {listed.length - shown.value} more
                  </button>
                )}
              </div>
              <span class="jl j-p">
                {close}
                {comma}
              </span>
            </>
          )}
        </>
      )}
    </Fold>
  );
}

/** A native `<details>`, whose content exists only while it is open: a payload may have a hundred thousand values. */
function Fold({ open, children }: { open: boolean; children: (open: boolean) => preact.ComponentChildren }) {
  const isOpen = useSignal(open);
  return (
    <details open={isOpen.value} onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      {children(isOpen.value)}
    </details>
  );
}

interface NameProps extends Pick<ValueProps, 'name' | 'path' | 'needle' | 'onPick'> {
  /** True in the summary of a fold, which may contain no other button: the path can be copied only with a mouse. */
  readonly folds?: boolean;
}

function Name({ name, path, needle, onPick, folds = false }: NameProps) {
  if (name === undefined) return null;
  const attributes = {
    class: 'jv j-k',
    title: `${onPick ? 'Use' : 'Copy the path'} ${path}`,
    onClick: (event: Event) => {
      event.preventDefault();
      if (onPick) onPick(path);
      else void copyWithToast(path, 'The path was copied.');
    },
    children: <Marked text={JSON.stringify(name)} needle={needle} />,
  };
  return (
    <>
      {folds ? <span {...attributes} /> : <button type="button" {...attributes} />}
      <span class="j-p">: </span>
    </>
  );
}

function Marked({ text, needle }: { text: string; needle: string }) {
  const shown = visibleText(text);
  const at = needle === '' ? -1 : shown.toLowerCase().indexOf(needle);
  if (at === -1) return <>{shown}</>;
  return (
    <>
      {shown.slice(0, at)}
      <mark>{shown.slice(at, at + needle.length)}</mark>
      {shown.slice(at + needle.length)}
    </>
  );
}

/** A string without its quotes; a number as it was written. */
const plain = (node: JsonNode): string =>
  node.kind === 'string' ? (JSON.parse(node.text) as string) : node.text;

/** Every name or value that holds the text, and every branch on the way to it. */
function holding(root: JsonNode, needle: string): Hits {
  const found = new Set<JsonNode | JsonEntry>();
  const visit = (node: JsonNode): boolean => {
    if (!('entries' in node)) return node.text.toLowerCase().includes(needle);
    let holds = false;
    for (const entry of node.entries) {
      const inside = visit(entry.value);
      const named = node.kind === 'object' && String(entry.key).toLowerCase().includes(needle);
      if (!inside && !named) continue;
      found.add(entry);
      holds = true;
    }
    if (holds) found.add(node);
    return holds;
  };
  if (visit(root)) found.add(root);
  return found;
}
