import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { session } from '../../api/session.ts';
import { showModal } from '../../components/dialogs/dialog.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { Logo } from '../../components/icons/logo.tsx';
import { useGo } from '../../data/address/leaving.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { currentItem } from '../navigation/navigation.ts';
import type { PaletteCommand } from './palette-command.ts';
import { commandsFor } from './palette-commands.ts';
import { destinationOf, idIn } from './palette-ids.ts';
import { useNameOf } from './palette-names.ts';
import { useThings } from './palette-things.ts';

/** The maximum number of entries that are shown. */
const SHOWN = 9;

/** Opens with Ctrl or Cmd and K: pages, webhooks, integrations, members and actions by name, and anything by its ID. */
export function Palette({ onClose }: { onClose: () => void }) {
  const workspace = useWorkspace();
  const { path } = useLocation();
  const visit = useGo();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const typed = useSignal('');
  const at = useSignal(0);
  const things = useThings();
  const text = typed.value.trim().toLowerCase();
  const { can } = workspace;
  const me = session.value;
  const memberships = me === null || me === 'unknown' ? [] : me.memberships;
  const pasted = idIn(text);
  const name = useNameOf(pasted);
  const destination = pasted === undefined ? undefined : destinationOf(pasted, name, { can, memberships });
  const commands = commandsFor(workspace, currentItem(path, workspace.href)?.page);
  const found = withoutTwins([...commands, ...things.commands])
    .flatMap((command) => {
      const rank = rankOf(command, text);
      return rank === undefined ? [] : [{ command, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ command }) => command)
    .slice(0, SHOWN);
  const shown = destination ? [destination.command].filter((each) => each !== undefined) : found;
  const note = destination
    ? destination.note
    : found.length === 0
      ? `Nothing ${things.complete ? '' : 'loaded so far '}has that name. You can also paste an ID to open it.`
      : undefined;
  const chosen = Math.min(at.value, shown.length - 1);

  // A key pressed in the first frame goes into the field.
  useLayoutEffect(() => {
    const close = showModal(dialog.current as HTMLDialogElement);
    dialog.current?.querySelector('input')?.focus();
    return close;
  }, []);

  function go(command: PaletteCommand | undefined): void {
    if (!command) return;
    onClose();
    const { to } = command;
    if (typeof to === 'string') visit(to.startsWith('/') ? to : workspace.href(to));
    else to();
  }
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Search or jump to"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="q">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={shown.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder="Search, or paste an ID"
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined) {
              event.preventDefault();
              at.value = (chosen + step + shown.length) % Math.max(shown.length, 1);
            }
            if (event.key === 'Enter') {
              event.preventDefault();
              go(shown[chosen]);
            }
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <div class="list" role="listbox" id={`${id}-list`} aria-label="Results">
        {shown.map((command, index) => (
          <div
            key={`${command.kind} ${command.label}`}
            id={`${id}-${index}`}
            class="opt"
            role="option"
            aria-selected={index === chosen}
            onMouseMove={() => (at.value = index)}
            onClick={() => go(command)}
          >
            <Icon name={command.icon} />
            <span class="clip">{command.label}</span>
            <span class="r-end">{command.kind}</span>
          </div>
        ))}
      </div>
      {note !== undefined && (
        <p class="palette-none" role="status">
          {note}
        </p>
      )}
      <div class="foot" aria-hidden="true">
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> to move
        </span>
        <span>
          <kbd>↵</kbd> to open
        </span>
        <Logo />
      </div>
    </dialog>
  );
}

/** The first entry of each name: an action of the page hides a link to the same action on another page. */
function withoutTwins(all: readonly PaletteCommand[]): readonly PaletteCommand[] {
  const names = new Set<string>();
  return all.filter(({ kind, label }) => {
    const { size } = names;
    return names.add(`${kind} ${label}`).size > size;
  });
}

/** The lower, the better: the name begins with the text, one of its words does, or the entry contains every word of the text. */
function rankOf({ label, words = '' }: PaletteCommand, text: string): number | undefined {
  if (text === '') return 0;
  const name = label.toLowerCase();
  if (name.startsWith(text)) return 0;
  if (name.split(/[\s/.@-]+/).some((word) => word.startsWith(text))) return 1;
  const entry = `${name} ${words.toLowerCase()}`;
  return text.split(/\s+/).every((word) => entry.includes(word)) ? 2 : undefined;
}
