import type { ApiKeyWithSecret } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { Form } from '../../components/fields/form.tsx';
import { OverlapField } from '../../components/fields/overlap-field.tsx';
import { differing, refuseOvertaken } from '../../components/schema/spec.ts';
import { formatTime } from '../../components/text/time.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import type { KeyTask } from './api-key-actions.tsx';
import { apiKeyBody, ApiKeyFields } from './api-key-fields.tsx';

/** A key to show once, with a note about the old one. */
export interface NewKey {
  readonly key: ApiKeyWithSecret;
  readonly note?: string;
}

interface ApiKeyTasksProps {
  readonly task: KeyTask | undefined;
  readonly onClose: () => void;
  readonly onMade: (key: NewKey) => void;
}

/** The dialogs about one key. */
export function ApiKeyTasks({ task, onClose, onMade }: ApiKeyTasksProps) {
  const workspace = useWorkspace();
  const key = task?.key;
  const id = key?.id ?? '';
  return (
    <>
      <Dialog open={task?.task === 'edit'} title={`Edit ${key?.name}`} size="extra-wide" onClose={onClose}>
        <Form
          submit="Save"
          onCancel={onClose}
          action={async (fields, before) => {
            const { role } = workspace;
            const changes = differing(apiKeyBody(fields, role), apiKeyBody(before, role));
            if (key) refuseOvertaken(changes, key, await client.apiKeys.get(workspace.id, id));
            const { name } = await client.apiKeys.update(workspace.id, id, changes);
            onClose();
            toast(`Saved ${name}.`);
          }}
        >
          {key && <ApiKeyFields apiKey={key} />}
        </Form>
      </Dialog>

      <Dialog open={task?.task === 'rotate'} title={`Rotate ${key?.name}`} onClose={onClose}>
        <p>Creates a new secret and keeps the rest. Both secrets work until the old one stops.</p>
        <Form
          submit="Rotate"
          onCancel={onClose}
          action={async (fields) => {
            const overlap = Number(fields.text('overlap_seconds'));
            const rotated = await client.apiKeys.rotate(workspace.id, id, { overlap_seconds: overlap });
            onClose();
            const note = overlap
              ? `The old secret, ${key?.prefix}…, works until ${until(overlap)}. Replace it before then.`
              : `The old secret, ${key?.prefix}…, has stopped working.`;
            onMade({ key: rotated, note });
          }}
        >
          <OverlapField seconds={86_400} />
        </Form>
      </Dialog>

      <ConfirmDialog
        open={task?.task === 'revoke'}
        title={`Revoke ${key?.name}`}
        action="Revoke"
        onClose={onClose}
        onConfirm={async () => {
          await client.apiKeys.revoke(workspace.id, id);
          toast(`Revoked ${key?.name}.`);
        }}
      >
        <p>
          Programs that use <code>{key?.prefix}…</code> are refused at once. A revoked key cannot be restored.
        </p>
      </ConfirmDialog>
    </>
  );
}

const until = (seconds: number): string => formatTime(new Date(Date.now() + seconds * 1_000).toISOString());
