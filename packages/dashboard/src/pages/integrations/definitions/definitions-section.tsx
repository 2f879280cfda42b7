import { LIMITS } from '@hubline/contract/constants';
import type { ProviderDefinition } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../../api/client.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { ProviderIcon } from '../../../components/icons/provider-icon.tsx';
import { ErrorPanel } from '../../../components/page/error-panel.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type Query, useQuery } from '../../../data/queries/use-query.ts';
import { useWorkspace } from '../../../session/workspace.ts';
import { useUrlFirst } from '../connect/use-url-first.ts';
import { DefinitionDialog, type DefinitionDraft } from './definition-dialog.tsx';
import { SKELETON, writtenPart } from './definition-text.ts';

interface DefinitionsSectionProps {
  readonly definitions: Query<ProviderDefinition[]>;
  /** Asks for the credentials of a provider. */
  readonly onConnect: (provider: string) => void;
}

/** The tools that the workspace has defined itself, and a way to define another. */
export function DefinitionsSection({ definitions, onConnect }: DefinitionsSectionProps) {
  const workspace = useWorkspace();
  const presets = useQuery(
    (signal) => client.providers.listPresets({ limit: LIMITS.pageMax }, { signal }).toArray(),
    ['providers', 'presets'],
  );
  const chosen = useSignal('');
  const draft = useSignal<DefinitionDraft>();
  const removing = useSignal<ProviderDefinition>();
  const blocked = workspace.refusal('manage_integrations');
  const failed = [definitions, presets].find(({ error }) => error !== undefined);
  return (
    <Section
      title="Custom tools"
      description="Any tool that can call a URL can send events. Describe how its calls are signed and read, or start from a preset."
    >
      {failed && <ErrorPanel of={failed} />}
      <ul class="catalog">
        {definitions.data?.map((definition) => (
          <DefinitionCard
            key={definition.provider_id}
            definition={definition}
            blocked={blocked}
            onConnect={onConnect}
            onEdit={() => (draft.value = { definition: writtenPart(definition), stored: definition })}
            onRemove={() => (removing.value = definition)}
          />
        ))}
      </ul>
      <div class="line define">
        <SelectField
          name="preset"
          label="Start from"
          value=""
          options={{
            '': 'Scratch',
            ...Object.fromEntries(
              (presets.data ?? []).map(({ preset, definition }) => [preset, definition.name]),
            ),
          }}
          onChange={(next) => (chosen.value = next)}
        />
        <Button
          icon="plus"
          blocked={blocked}
          onClick={() => {
            const preset = presets.data?.find((each) => each.preset === chosen.value);
            draft.value = preset ?? { definition: SKELETON };
          }}
        >
          Define a tool
        </Button>
      </div>
      <DefinitionDialog draft={draft.value} onClose={() => (draft.value = undefined)} />
      <ConfirmDialog
        open={removing.value !== undefined}
        title={`Delete the definition of ${removing.value?.name}?`}
        action="Delete"
        onClose={() => (removing.value = undefined)}
        onConfirm={async () => {
          await client.providers.delete(workspace.id, removing.value?.provider_id ?? '');
        }}
      >
        <p>Its events are kept. Disconnect the integrations that use it first.</p>
      </ConfirmDialog>
    </Section>
  );
}

interface DefinitionCardProps {
  readonly definition: ProviderDefinition;
  readonly blocked: string | undefined;
  readonly onConnect: (provider: string) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function DefinitionCard({ definition, blocked, onConnect, onEdit, onRemove }: DefinitionCardProps) {
  const { provider, name, description, issues_secret: issued } = definition;
  const add = useUrlFirst();
  return (
    <li class="card cat">
      <ProviderIcon provider={provider} size="l" />
      <h3>{name}</h3>
      <p>{description}</p>
      <ErrorPanel of={add} />
      <div class="foot">
        <Button
          size="small"
          about={name}
          blocked={blocked}
          pending={add.pending}
          onClick={() => (issued ? void add.run(provider) : onConnect(provider))}
        >
          Connect
        </Button>
        <Button size="small" kind="quiet" about={name} blocked={blocked} onClick={onEdit}>
          Edit
        </Button>
        <Button size="small" kind="danger" about={name} blocked={blocked} onClick={onRemove}>
          Delete
        </Button>
      </div>
    </li>
  );
}
