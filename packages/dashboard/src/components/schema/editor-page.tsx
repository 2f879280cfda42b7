import { isAPIError } from '@hubline/sdk';
import type { ConditionVerdict, ErrorDetail } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { isUnsaved } from '../../data/address/leaving.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { IconButton } from '../controls/icon-button.tsx';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { useLeaveQuestion } from '../dialogs/dialog.tsx';
import { toast } from '../dialogs/toast.tsx';
import { FieldErrors } from '../fields/field.tsx';
import { Page } from '../page/page.tsx';
import { ErrorPanel } from '../page/error-panel.tsx';
import { QueryState } from '../page/loading.tsx';
import type { Query } from '../../data/queries/use-query.ts';
import { DraftActions } from './draft-actions.tsx';
import type { Draft } from './use-draft.ts';
import { Verdicts } from './verdicts.ts';

/** The list that something belongs to. */
export interface Parent {
  readonly label: string;
  readonly page: string;
}

interface LoadedProps<T> {
  readonly query: Query<T>;
  readonly title: string;
  readonly parent: Parent;
  readonly children: (stored: T) => ComponentChildren;
}

/** The page of one thing, once it has loaded. */
export function Loaded<T>({ query, title, parent: { label, page }, children }: LoadedProps<T>) {
  const { href } = useWorkspace();
  // Of what was deleted meanwhile, the page stays only for what is unsaved on it.
  if (query.data !== undefined && (isUnsaved() || !isAPIError(query.error, 'not_found')))
    return (
      <>
        <ErrorPanel of={query} />
        {children(query.data)}
      </>
    );
  return (
    <Page title={title} parent={{ label, href: href(page) }}>
      <QueryState of={query} />
    </Page>
  );
}

interface EditorPageProps {
  readonly name: string;
  readonly parent: Parent;
  readonly draft: Draft;
  /** The reason why nothing may be changed. */
  readonly forbidden: string | undefined;
  /** The result of a dry run, which also names what is wrong. */
  readonly result: { readonly error?: unknown };
  readonly verdicts?: readonly [string, ConditionVerdict][];
  readonly note: ComponentChildren;
  /** The consequences of deleting it. */
  readonly lost: string;
  readonly onDelete: () => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** The frame of an editor: save, discard and delete, and every fault at the field that it is about. */
export function EditorPage(props: EditorPageProps) {
  const { name, parent, draft, forbidden, result, verdicts = [], note, lost, onDelete, children } = props;
  const { href } = useWorkspace();
  const { route } = useLocation();
  const deleting = useSignal(false);
  const { question } = useLeaveQuestion(draft.dirty, draft.discard);
  const faults = draft.issues.length === 0 && isAPIError(result.error) ? result.error.details : [];
  return (
    <FieldErrors.Provider value={[...draft.issues, ...faults.map(ofDraft)]}>
      <Verdicts.Provider value={new Map(verdicts)}>
        {/* In sight wherever the editor is scrolled. */}
        <ErrorPanel of={draft} />
        <Page
          title={name}
          parent={{ label: parent.label, href: href(parent.page) }}
          layout="fill"
          note={note}
          actions={
            forbidden === undefined ? (
              <>
                <IconButton icon="trash" label={`Delete ${name}`} onClick={() => (deleting.value = true)} />
                <DraftActions draft={draft} />
              </>
            ) : (
              <span class="faint small">{forbidden}</span>
            )
          }
        >
          {children}
          {question}
          <ConfirmDialog
            open={deleting.value}
            title={`Delete ${name}?`}
            action="Delete"
            onClose={() => (deleting.value = false)}
            onConfirm={async () => {
              await onDelete();
              toast(`Deleted ${name}.`);
              route(href(parent.page));
            }}
          >
            <p>{lost}</p>
          </ConfirmDialog>
        </Page>
      </Verdicts.Provider>
    </FieldErrors.Provider>
  );
}

/** An error of a dry run as one of the draft, which the request carries as `changes`. */
const ofDraft = ({ field, issue }: ErrorDetail): ErrorDetail => ({
  field: field.replace('changes.', ''),
  issue,
});
