import { useSignal } from '@preact/signals';
import { CopyButton } from '../text/copy-button.tsx';
import { Tabs } from '../page/tabs.tsx';

/** Code to copy, in one or more languages: `samples={{ curl: '…', TypeScript: '…' }}`. */
export function CodeSnippet({ samples }: { samples: Readonly<Record<string, string>> }) {
  const names = Object.keys(samples);
  const chosen = useSignal(names[0] ?? '');
  const text = samples[chosen.value] ?? '';
  return (
    <div class="code">
      <div class="code-bar">
        {names.length > 1 ? (
          <Tabs
            label="Language"
            tabs={Object.fromEntries(names.map((name) => [name, name]))}
            value={chosen.value}
            onChange={(name) => (chosen.value = name)}
          />
        ) : (
          <b>{chosen.value}</b>
        )}
        <span class="end">
          <CopyButton text={text} label={`Copy the ${chosen.value} code`} />
        </span>
      </div>
      <pre class="wrap" tabIndex={0} role="region" aria-label={`${chosen.value} code`}>
        {text}
      </pre>
    </div>
  );
}
