import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatBytes } from '../../data/formats/format-number.ts';
import { prettyJson, readJson } from '../../data/formats/json-node.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import { Lines } from './code-block.tsx';
import { JsonTree } from './json-tree.tsx';

interface JsonViewerProps {
  /** JSON as it came: numbers are shown and copied with every digit. */
  readonly text: string;
  readonly label: string;
  /** Content for the bar instead of the label, such as tabs. */
  readonly bar?: ComponentChildren;
}

/** Foldable JSON in colors, with a search. A text that is not JSON is shown as it is. */
export function JsonViewer({ text, label, bar }: JsonViewerProps) {
  const root = useMemo(() => readJson(text), [text]);
  const searching = useSignal(false);
  const search = useSignal('');
  return (
    <div class="code">
      <div class="code-bar">
        {bar ?? <b>{label}</b>}
        <span class="end">
          <span class="num">{formatBytes(new TextEncoder().encode(text).length)}</span>
          {root && (
            <IconButton
              kind="copy"
              icon="search"
              label={`Search in ${label.toLowerCase()}`}
              onClick={() => {
                searching.value = !searching.value;
                search.value = '';
              }}
            />
          )}
          <CopyButton text={root ? prettyJson(root) : text} label={`Copy ${label.toLowerCase()}`} />
        </span>
      </div>
      {searching.value && (
        <input
          class="input json-search"
          type="search"
          aria-label={`Search in ${label.toLowerCase()}`}
          placeholder="Name or value"
          ref={(input) => input?.focus()}
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        />
      )}
      {root ? (
        <JsonTree root={root} label={label} search={search.value} />
      ) : (
        <Lines text={text} label={label} />
      )}
    </div>
  );
}
