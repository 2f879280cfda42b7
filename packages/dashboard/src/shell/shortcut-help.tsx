import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { KeyValue } from '../components/page/key-value.tsx';
import { useGo } from '../data/address/leaving.ts';
import { navigation } from './navigation/navigation.ts';
import { shortcuts, useShortcuts } from './shortcuts.ts';
import { useWorkspace } from '../session/workspace.ts';

/** The time that `g` waits for its letter. */
const PAIR_MS = 1_500;

/** The shortcuts that work on every page, and the dialog that lists all. */
export function ShortcutHelp() {
  const open = useSignal(false);
  const visit = useGo();
  const { href, can } = useWorkspace();
  const pressed = useRef(-Infinity);

  const pages = navigation.filter(({ permission }) => can(permission));
  const go = Object.fromEntries(
    pages.map(({ letter, page }) => [
      letter,
      (event: KeyboardEvent) => {
        if (event.timeStamp - pressed.current > PAIR_MS) return;
        pressed.current = -Infinity;
        event.preventDefault();
        event.stopImmediatePropagation();
        visit(href(page));
      },
    ]),
  );
  useShortcuts({
    ...go,
    g: (event) => {
      pressed.current = event.timeStamp;
    },
    '?': () => {
      open.value = true;
    },
    '/': (event) => {
      const filter = document.querySelector<HTMLElement>('.filters :is(input, select, button)');
      if (!filter) return;
      event.preventDefault();
      filter.focus();
    },
  });

  return (
    <Dialog
      open={open.value}
      title="Keyboard shortcuts"
      description="You can turn off single keys under Account."
      onClose={() => (open.value = false)}
    >
      <KeyValue
        rows={[
          ...shortcuts.map(({ keys, does }) => [does, <Keys keys={keys} key={does} />] as const),
          ...pages.map(
            ({ label, letter }) => [`Go to ${label}`, <Keys keys={['g', letter]} key={label} />] as const,
          ),
        ]}
      />
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span class="line">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
