import type { ApiKey } from '@hubline/sdk';
import type { ComponentChildren } from 'preact';
import type { FormFields } from '../../components/fields/form.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { statusWord } from '../../components/text/status.tsx';
import { useWorkspace } from '../../session/workspace.ts';
import { rolesToGive } from '../members/member-roles.ts';
import { ScopesField } from './scopes-field.tsx';
import { asScopes } from './scopes.ts';

/** The settings of a workspace key, new or existing. */
export function ApiKeyFields({ apiKey, expiry }: { apiKey?: ApiKey; expiry?: ComponentChildren }) {
  const { role } = useWorkspace();
  const roles = rolesToGive(role);
  const cap = apiKey?.role ?? '';
  // Offers the current cap of the key, even if this user may not give it.
  const offered = cap === '' || roles.some((each) => each === cap) ? roles : [cap, ...roles];
  return (
    <>
      <div class="form2">
        <TextField
          name="name"
          label="Name"
          value={apiKey?.name ?? ''}
          placeholder="Deployments"
          hint="The program that uses the key."
        />
        <SelectField
          name="role"
          label="Maximum role"
          value={cap}
          options={{
            '': apiKey ? 'The role of its creator' : `Your own (${role})`,
            ...Object.fromEntries(offered.map((each) => [each, statusWord(each)])),
          }}
          hint="A key acts with its creator’s current role, up to this one."
        />
        {expiry}
      </div>
      <ScopesField value={apiKey?.scopes ?? ['*']} />
    </>
  );
}

/** The fields as the API takes them. */
export const apiKeyBody = (fields: FormFields, role: string) => ({
  name: fields.text('name'),
  role: [...rolesToGive(role), 'owner' as const].find((each) => each === fields.text('role')) ?? null,
  scopes: asScopes(fields.all('scopes')),
});
