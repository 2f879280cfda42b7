import { Button } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Form } from '../fields/form.tsx';
import { TextField } from '../fields/text-field.tsx';

interface NewDialogProps {
  readonly open: boolean;
  readonly title: string;
  /** A name as an example. */
  readonly placeholder: string;
  readonly onClose: () => void;
  readonly onCreate: (name: string) => Promise<void>;
}

/** Asks for the name of something new; everything else is asked on its page. */
export function NewDialog({ open, title, placeholder, onClose, onCreate }: NewDialogProps) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <Form
        submit="Create"
        extra={<Button onClick={onClose}>Cancel</Button>}
        action={(fields) => onCreate(fields.text('name'))}
      >
        <TextField name="name" label="Name" placeholder={placeholder} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
