import { CheckboxField } from '../../../components/fields/checkbox-field.tsx';
import { MoreFields } from '../../../components/fields/more-fields.tsx';
import { credentialText } from './credential-texts.ts';

interface RemovedCredentialsProps {
  readonly provider: string;
  readonly names: readonly string[];
}

/** The optional credentials to remove, as `remove`: an empty field keeps its stored value. */
export const RemovedCredentials = ({ provider, names }: RemovedCredentialsProps) => (
  <MoreFields label="Remove stored values">
    {names.map((name) => (
      <CheckboxField
        key={name}
        name="remove"
        value={name}
        label={`Remove “${credentialText(provider, name).label}”`}
      />
    ))}
  </MoreFields>
);
