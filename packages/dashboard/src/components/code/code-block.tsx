import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { visibleText } from '../../data/formats/visible-text.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../text/copy-button.tsx';

interface CodeBlockProps {
  readonly text: string;
  /** Its name: `Response body`. */
  readonly label: string;
}

/** More lines than this are folded at first: a body may have a hundred thousand. */
const FOLDED_LINES = 200;

/** A text such as the body of a response, in a frame with its name. */
export function CodeBlock({ text, label }: CodeBlockProps) {
  return (
    <div class="code">
      <div class="code-bar">
        <b>{label}</b>
        <span class="end">
          <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
        </span>
      </div>
      <Lines text={text} label={label} />
    </div>
  );
}

interface LinesProps extends CodeBlockProps {
  /** Renders a line, such as in colors. */
  readonly line?: (text: string) => ComponentChildren;
}

/** A text in numbered lines. It may come from outside, so control characters are shown as escapes. */
export function Lines({ text, label, line = (each) => each }: LinesProps) {
  const open = useSignal(false);
  const lines = visibleText(text).split('\n');
  const shown = open.value ? lines : lines.slice(0, FOLDED_LINES);
  return (
    <>
      {/* It scrolls, so a keyboard must be able to reach it. */}
      <pre class="nums wrap" tabIndex={0} role="region" aria-label={label}>
        {shown.map((each, at) => (
          <span class="l" key={at}>
            {line(each)}
            {at < shown.length - 1 && '\n'}
          </span>
        ))}
      </pre>
      {shown.length < lines.length && (
        <div class="code-bar">
          <Button kind="quiet" size="small" onClick={() => (open.value = true)}>
            Show all {lines.length} lines
          </Button>
        </div>
      )}
    </>
  );
}
