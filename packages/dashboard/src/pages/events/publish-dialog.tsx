import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { Form } from '../../components/fields/form.tsx';
import { TextAreaField } from '../../components/fields/text-area-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { prettyJson, readJson } from '../../data/json-node.ts';
import { useWorkspace } from '../../session/workspace.ts';
import type { ReadEvent } from './read-event.ts';

interface PublishDialogProps {
  readonly open: boolean;
  /** The event to begin with; its payload can be changed. */
  readonly from?: ReadEvent | undefined;
  readonly onClose: () => void;
}

const EXAMPLE = `{
  "service": "web",
  "version": "1.4.2"
}`;

/** Publishes an event: a new one, or one that has been, changed or not. */
export function PublishDialog({ open, from, onClose }: PublishDialogProps) {
  const workspace = useWorkspace();
  const { route } = useLocation();
  const node = from && readJson(from.payload);
  return (
    <Dialog
      open={open}
      title={from ? 'Publish again' : 'Publish an event'}
      description={
        from
          ? 'A new event with a new id. It goes to every webhook that takes it.'
          : 'It goes to every webhook that takes it.'
      }
      size="wide"
      onClose={onClose}
    >
      <Form
        submit="Publish"
        extra={<Button onClick={onClose}>Cancel</Button>}
        action={async (fields) => {
          const payload = fields.raw('payload');
          // Said here: what is no JSON does not reach the server.
          if (!readJson(payload)?.text.trimStart().startsWith('{'))
            throw new Error('The payload must be a JSON object. Check its quotes and commas.');
          const { event_id } = await client.events.publish(workspace.id, {
            type: fields.text('type'),
            source: fields.text('source'),
            payload: JSON.parse(payload) as Record<string, unknown>,
          });
          onClose();
          toast('The event was published.');
          route(workspace.href(`events?event=${event_id}`));
        }}
      >
        <div class="form2">
          <TextField name="type" label="Type" mono value={from?.event.type ?? 'deploy'} autoComplete="off" />
          <TextField
            name="source"
            label="Source"
            mono
            value={from?.event.source ?? 'api'}
            autoComplete="off"
          />
        </div>
        <TextAreaField
          name="payload"
          label="Payload"
          mono
          rows={14}
          value={node ? prettyJson(node) : EXAMPLE}
        />
      </Form>
    </Dialog>
  );
}
