import { type ErrorDetail, isAPIError } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAction } from '../../data/queries/use-action.ts';
import { toast } from '../dialogs/toast.tsx';
import { differing, refuseOvertaken, type Values } from './spec.ts';

interface DraftOptions<T> {
  readonly stored: T;
  /** Finds problems without the server. */
  readonly issues: (values: Values) => readonly ErrorDetail[];
  /** Reads what is stored now. */
  readonly read: () => PromiseLike<T>;
  readonly save: (changes: Values) => Promise<T>;
  readonly onSaved: (saved: T) => void;
}

/** A stored object that is being edited. */
export interface Draft {
  readonly values: Values;
  /** The fields that differ from what is stored, as the API takes them: `null` removes. */
  readonly changes: Values;
  readonly dirty: boolean;
  readonly saving: boolean;
  readonly error: unknown;
  /** Everything that is wrong, by the path of its field. */
  readonly issues: readonly ErrorDetail[];
  /** The first problem that keeps it from being saved. */
  readonly fault: ErrorDetail | undefined;
  set(values: Values): void;
  discard(): void;
  save(): Promise<boolean>;
}

/**
 * Edits the fields of what is stored. Only the edited ones are kept and sent, so that the others follow the server while somebody types: a
 * switch on the page, or a colleague, may have changed them. Empty required fields are reported only after somebody has tried to save.
 */
export function useDraft<T extends object>({ stored, issues, read, save, onSaved }: DraftOptions<T>): Draft {
  const edits = useSignal<Values>({});
  const tried = useSignal(false);
  const before = stored as Values;
  const changes = differing(edits.value, before);
  const dirty = Object.keys(changes).length > 0;
  // The values that the edits began with: `stored` follows the server.
  const begun = useRef(before);
  if (!dirty) begun.current = before;
  const values = { ...before, ...changes };
  const wrong = issues(values);
  const action = useAction(async () => {
    refuseOvertaken(changes, begun.current, await read());
    const saved = await save(changes);
    begun.current = saved as Values;
    onSaved(saved);
    // Edits that were made in the meantime are not saved yet.
    edits.value = differing(edits.peek(), values);
    tried.value = false;
    toast('Saved.');
  });
  const refused = isAPIError(action.error) ? action.error.details : [];
  return {
    values,
    changes,
    dirty,
    saving: action.pending,
    error: action.error,
    issues: [...wrong.filter(({ issue }) => tried.value || issue !== 'is required'), ...refused],
    fault: wrong[0],
    set: (next) => {
      const emptied = Object.keys(values).map((name) => [name, null] as const);
      const typed = { ...edits.peek(), ...differing({ ...Object.fromEntries(emptied), ...next }, values) };
      // A field that is typed back while it is being saved will differ from what is stored.
      edits.value = action.pending ? typed : differing(typed, before);
      action.reset();
    },
    discard: () => {
      edits.value = {};
      tried.value = false;
      action.reset();
    },
    save: async () => {
      tried.value = true;
      return wrong.length === 0 && (await action.run());
    },
  };
}
