import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { copyText } from './copy-text.ts';
import { Icon } from '../icons/icon.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** The label: `Copy the link`. */
  readonly label?: string;
  /** Shows the label rather than the icon alone. */
  readonly wide?: boolean;
}

const SHOWN_MS = 1_500;

export function CopyButton({ text, label = 'Copy', wide = false }: CopyButtonProps) {
  const state = useSignal<'idle' | 'copied' | 'failed'>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(): Promise<void> {
    state.value = (await copyText(text)) ? 'copied' : 'failed';
    clearTimeout(timer.current);
    timer.current = setTimeout(() => (state.value = 'idle'), SHOWN_MS);
  }
  const says = { idle: label, copied: 'Copied', failed: 'Could not copy. Select the text and copy it.' }[
    state.value
  ];
  return (
    <button
      type="button"
      class={wide ? 'btn s primary' : 'copy'}
      aria-label={wide ? undefined : label}
      title={says}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      <Icon name={state.value === 'copied' ? 'check' : 'copy'} size="s" />
      {wide && says}
      <span class="sr" role="status">
        {state.value === 'idle' ? '' : says}
      </span>
    </button>
  );
}
