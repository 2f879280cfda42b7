import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { Dialog } from './dialog.tsx';
import { Form } from '../fields/form.tsx';
import { TextField } from '../fields/text-field.tsx';

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly title: string;
  /** The consequences, and what cannot be undone. */
  readonly children: ComponentChildren;
  /** The verb on the button: `Remove`. */
  readonly action: string;
  /** The name to type first, for what cannot be undone. */
  readonly typeName?: string;
  readonly onConfirm: () => Promise<unknown>;
  /** Called when it is done, and when it is cancelled. */
  readonly onClose: () => void;
}

/** Asks before something is lost. The dialog shows failures, and stays for another try. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog open={props.open} title={props.title} onClose={props.onClose} disposable>
      <Question {...props} />
    </Dialog>
  );
}

function Question({ children, action, typeName, onConfirm, onClose }: ConfirmDialogProps) {
  const typed = useSignal('');
  return (
    <>
      <div class="stack" data-gap="s">
        {children}
      </div>
      <Form
        submit={action}
        kind="danger-solid"
        blocked={typeName !== undefined && typed.value !== typeName ? `Type ${typeName} first.` : undefined}
        action={async () => {
          await onConfirm();
          onClose();
        }}
        onCancel={onClose}
      >
        {typeName !== undefined && (
          <TextField
            name="confirmation"
            label={`Type ${typeName} to confirm`}
            onInput={(value) => (typed.value = value)}
          />
        )}
      </Form>
    </>
  );
}
