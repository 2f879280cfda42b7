import { TextField } from '../../../components/fields/text-field.tsx';
import { credentialText, isSecretCredential } from './credential-texts.ts';

interface CredentialFieldProps {
  readonly provider: string;
  readonly name: string;
  readonly required?: boolean;
  /** True if credentials are stored already, which these replace. */
  readonly stored?: boolean;
}

/** One credential, under a name that people know. */
export function CredentialField({ provider, name, required = false, stored }: CredentialFieldProps) {
  const { label, placeholder, ...hints } = credentialText(provider, name);
  const hint =
    (stored ? hints.hintIfStored : undefined) ?? hints.hint ?? (required ? undefined : 'Optional.');
  const secret = isSecretCredential(name);
  return (
    <TextField
      name={name}
      label={label}
      type={secret ? 'password' : 'text'}
      // A password manager must not fill in the password of the dashboard.
      autoComplete={secret ? 'new-password' : 'off'}
      mono={!secret}
      {...(hint !== undefined && { hint })}
      {...(placeholder !== undefined && { placeholder })}
    />
  );
}
