import type { Provider } from '@hubline/sdk';
import { TextField } from '../../../components/fields/text-field.tsx';
import { credentialText, isSecretCredential } from './credential-texts.ts';

interface CredentialFieldProps {
  readonly provider: string;
  readonly name: string;
  /** The server's own description. */
  readonly credential?: Provider['methods'][number]['credentials'][number] | undefined;
  /** True if credentials are stored already, which these replace. */
  readonly stored?: boolean;
}

/** One credential, under a name that people know. */
export function CredentialField({ provider, name, credential, stored }: CredentialFieldProps) {
  const { label, placeholder, ...hints } = credentialText(provider, name);
  const hint = (stored ? hints.hintIfStored : undefined) ?? hints.hint ?? hintOf(credential);
  const secret = credential?.secret ?? isSecretCredential(name);
  return (
    <TextField
      name={name}
      label={label}
      type={secret ? 'password' : 'text'}
      // A password manager must not fill in the password of the dashboard.
      autoComplete={secret ? 'new-password' : 'off'}
      mono={!secret}
      hint={hint}
      placeholder={placeholder}
    />
  );
}

function hintOf(credential: CredentialFieldProps['credential']): string {
  if (!credential) return 'Optional.';
  const text = credential.description.replaceAll('`', '');
  return credential.required ? text : `Optional. ${text}`;
}
