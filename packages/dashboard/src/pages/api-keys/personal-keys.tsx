import type { ApiKey, ApiKeyWithSecret } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { toast } from '../../components/dialogs/toast.tsx';
import { Form } from '../../components/fields/form.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { usePages } from '../../data/queries/use-pages.ts';
import { ExpiryField, expiryOf } from './expiry-field.tsx';
import { inOrder, isRevoked, keyColumns, nameColumn } from './key-columns.tsx';
import { KeyOnce } from './key-once.tsx';
import { ScopesField } from './scopes-field.tsx';
import { asScopes } from './scopes.ts';

/** Keys that act for the person rather than for one workspace. */
export function PersonalKeys() {
  const keys = usePages(
    (signal) => client.personalApiKeys.list({ limit: 50 }, { signal }),
    ['api-keys', 'personal'],
  );
  const creating = useSignal(false);
  const made = useSignal<ApiKeyWithSecret>();
  const revoking = useSignal<ApiKey>();
  return (
    <Section
      title="Personal API keys"
      note="for your own scripts, in every workspace where you are an owner or admin"
      actions={
        <Button icon="plus" size="small" onClick={() => (creating.value = true)}>
          New key
        </Button>
      }
    >
      <Table
        caption="Personal API keys"
        items={inOrder(keys.items)}
        rowKey={({ id }) => id}
        muted={isRevoked}
        columns={[
          nameColumn(),
          ...keyColumns,
          {
            label: '',
            align: 'end',
            cell: (key) =>
              isRevoked(key) ? null : (
                <Button kind="danger" size="small" about={key.name} onClick={() => (revoking.value = key)}>
                  Revoke
                </Button>
              ),
          },
        ]}
        empty={<p class="faint">You have no personal API keys.</p>}
      />
      <LoadMore pages={keys} />

      <Dialog
        open={creating.value}
        title="New personal API key"
        size="extra-wide"
        onClose={() => (creating.value = false)}
      >
        <Form
          submit="Create"
          onCancel={() => (creating.value = false)}
          action={async (fields) => {
            made.value = await client.personalApiKeys.create({
              name: fields.text('name'),
              scopes: asScopes(fields.all('scopes')),
              expires_at: expiryOf(fields),
            });
            creating.value = false;
          }}
        >
          <div class="form2">
            <TextField
              name="name"
              label="Name"
              placeholder="My laptop"
              hint="The program that uses the key."
            />
            <ExpiryField />
          </div>
          <ScopesField value={['*']} />
        </Form>
      </Dialog>
      <KeyOnce made={made.value} onClose={() => (made.value = undefined)} />
      <ConfirmDialog
        open={revoking.value !== undefined}
        title={`Revoke ${revoking.value?.name}`}
        action="Revoke"
        onClose={() => (revoking.value = undefined)}
        onConfirm={async () => {
          await client.personalApiKeys.revoke(revoking.value?.id ?? '');
          toast(`Revoked ${revoking.value?.name}.`);
        }}
      >
        <p>
          Programs that use <code>{revoking.value?.prefix}…</code> are refused at once. A revoked key cannot
          be restored.
        </p>
      </ConfirmDialog>
    </Section>
  );
}
