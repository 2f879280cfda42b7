import { type ErrorDetail, isAPIError } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { useAction } from '../../data/queries/use-action.ts';
import { toast } from '../dialogs/toast.tsx';
import { same, type Values } from './spec.ts';

interface DraftOptions<T> {
  readonly stored: T;
  /** Finds problems without the server. */
  readonly issues: (values: Values) => readonly ErrorDetail[];
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

/** Edits a copy. Empty required fields are reported only after somebody has tried to save. */
export function useDraft<T extends object>({ stored, issues, save, onSaved }: DraftOptions<T>): Draft {
  const edited = useSignal<Values | undefined>(undefined);
  const tried = useSignal(false);
  const before = stored as Values;
  const values = edited.value ?? before;
  const changes = Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(values)])]
      .map((name) => [name, values[name] ?? null] as const)
      .filter(([name, value]) => !same(value, before[name] ?? null)),
  );
  const wrong = issues(values);
  const action = useAction(async () => {
    onSaved(await save(changes));
    edited.value = undefined;
    tried.value = false;
    toast('Saved.');
  });
  const refused = isAPIError(action.error) ? action.error.details : [];
  return {
    values,
    changes,
    dirty: Object.keys(changes).length > 0,
    saving: action.pending,
    error: action.error,
    issues: [...wrong.filter(({ issue }) => tried.value || issue !== 'is required'), ...refused],
    fault: wrong[0],
    set: (next) => {
      edited.value = next;
      action.reset();
    },
    discard: () => {
      edited.value = undefined;
      tried.value = false;
      action.reset();
    },
    save: async () => {
      tried.value = true;
      return wrong.length === 0 && (await action.run());
    },
  };
}
