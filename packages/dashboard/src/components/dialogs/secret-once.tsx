import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../controls/button.tsx';
import { CheckboxField } from '../fields/checkbox-field.tsx';
import { Mark } from '../icons/mark.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import { Dialog } from './dialog.tsx';

interface SecretOnceProps {
  readonly title: string;
  /** The secret; `undefined` closes the dialog. */
  readonly secret: string | undefined;
  /** The purpose of the secret, and where it goes. */
  readonly children?: ComponentChildren;
  /** The kind of secret: `key`, `link`. */
  readonly noun: string;
  /** Instructions below the secret. */
  readonly after?: ComponentChildren;
  readonly size?: 'wide';
  readonly onClose: () => void;
}

/** Shows a secret that the server will not show again. The dialog stays until the person confirms that they have saved it. */
export function SecretOnce({ title, secret, size, ...shown }: SecretOnceProps) {
  return (
    <Dialog open={secret !== undefined} title={title} onClose={shown.onClose} locked size={size}>
      <Secret secret={secret ?? ''} {...shown} />
    </Dialog>
  );
}

type SecretProps = Omit<SecretOnceProps, 'title' | 'size' | 'secret'> & { readonly secret: string };

function Secret({ secret, noun, after, onClose, children }: SecretProps) {
  const saved = useSignal(false);
  return (
    <>
      {children}
      <p class="note warn">
        <Mark name="warn" />
        <span>
          <b>This {noun} is shown only once.</b> If it is lost, make a new one.
        </span>
      </p>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} label={`Copy the ${noun}`} wide />
      </div>
      {after}
      <div class="form-actions">
        <CheckboxField name="saved" label="I have saved it" onChange={(checked) => (saved.value = checked)} />
        <Button
          kind="primary"
          blocked={saved.value ? undefined : `Save the ${noun}, and check the box.`}
          onClick={onClose}
        >
          Done
        </Button>
      </div>
    </>
  );
}
