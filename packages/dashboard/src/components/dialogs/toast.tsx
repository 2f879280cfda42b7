import { signal } from '@preact/signals';
import { errorMessage } from '../page/error-panel.tsx';
import { IconButton } from '../controls/icon-button.tsx';
import { Mark } from '../icons/mark.tsx';

interface Message {
  readonly id: number;
  readonly text: string;
  readonly tone: 'ok' | 'bad';
}

const messages = signal<readonly Message[]>([]);
let last = 0;

/** The time that a success is shown. Errors stay until they are closed: they may need more than a glance. */
const SHOWN_MS = 4_000;

const close = (id: number): void => {
  messages.value = messages.value.filter((message) => message.id !== id);
};

function show(text: string, tone: Message['tone']): void {
  const id = ++last;
  messages.value = [...messages.value.slice(-2), { id, text, tone }];
  if (tone === 'ok') setTimeout(() => close(id), SHOWN_MS);
}

/** Says that something was done. */
export const toast = (text: string): void => show(text, 'ok');

/** Shows an error that belongs to no part of the page; otherwise use ErrorPanel. */
export const toastError = (error: unknown): void => show(errorMessage(error), 'bad');

/** The toasts, in a live region, which screen readers announce. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {messages.value.map(({ id, text, tone }) => (
        <div class="toast" key={id} data-tone={tone}>
          <Mark name={tone === 'ok' ? 'ok' : 'fail'} />
          <span class="grow">{text}</span>
          <IconButton icon="x" label="Close" onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
