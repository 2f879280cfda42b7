import { Button } from '../controls/button.tsx';
import { toastError } from '../dialogs/toast.tsx';
import type { Draft } from './use-draft.ts';

/** Save and discard, while something has changed. */
export function DraftActions({ draft }: { draft: Draft }) {
  return (
    <>
      {draft.dirty && (
        <>
          <span class="faint small only-wide">Unsaved changes</span>
          <Button kind="quiet" onClick={draft.discard}>
            Discard
          </Button>
        </>
      )}
      <Button
        kind="primary"
        pending={draft.saving}
        blocked={draft.dirty ? undefined : 'Nothing has changed.'}
        onClick={() => void saveOf(draft)}
      >
        Save
      </Button>
    </>
  );
}

/** Saves, or moves the focus to the first invalid field. If that one is folded or on another tab, a toast names it. */
async function saveOf(draft: Draft): Promise<void> {
  if (await draft.save()) return;
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
    if (field) field.focus();
    else if (draft.fault) toastError(new Error(`${draft.fault.field} ${draft.fault.issue}.`));
  });
}
