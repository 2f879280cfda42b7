import { useSignal } from '@preact/signals';
import { visibleText } from '../../data/visible-text.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from './copy-button.tsx';

interface JsonProps {
  readonly value: unknown;
  /** The label: `Payload`. */
  readonly label: string;
}

/** More lines than this are folded at first: a payload may have a hundred thousand. */
const FOLDED_LINES = 40;

/** JSON as text, and nothing but text: payloads come from anywhere. */
export function Json({ value, label }: JsonProps) {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? 'undefined'} label={label} />;
}

/** A text such as the body of a response, in the same frame. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const open = useSignal(false);
  const wrap = useSignal(true);
  const lines = text.split('\n');
  const folded = !open.value && lines.length > FOLDED_LINES;
  return (
    <div class="code">
      <div class="code-bar">
        <span>{label}</span>
        <div class="row">
          <Button kind="quiet" size="small" onClick={() => (wrap.value = !wrap.value)}>
            {wrap.value ? 'Do not wrap' : 'Wrap lines'}
          </Button>
          <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
        </div>
      </div>
      {/* It scrolls, so a keyboard must be able to reach it. */}
      <pre tabIndex={0} role="region" aria-label={label} {...(wrap.value && { 'data-wrap': '' })}>
        {visibleText(folded ? lines.slice(0, FOLDED_LINES).join('\n') : text)}
      </pre>
      {folded && (
        <div class="code-bar">
          <Button kind="quiet" size="small" onClick={() => (open.value = true)}>
            Show all {lines.length} lines
          </Button>
        </div>
      )}
    </div>
  );
}
