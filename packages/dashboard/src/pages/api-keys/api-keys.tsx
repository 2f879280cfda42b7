import { useSignal } from '@preact/signals';
import { client } from '../../api/client.ts';
import { Button } from '../../components/controls/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/fields/form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { LoadMore } from '../../components/page/load-more.tsx';
import { ClosedPage } from '../../components/page/closed-page.tsx';
import { Page } from '../../components/page/page.tsx';
import { Table } from '../../components/page/table.tsx';
import { statusWord } from '../../components/text/status.tsx';
import { useFilters } from '../../data/address/use-filters.ts';
import { countNote, usePages } from '../../data/queries/use-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useMembers } from '../members/use-members.ts';
import { ApiKeyActions, type KeyTask } from './api-key-actions.tsx';
import { apiKeyBody, ApiKeyFields } from './api-key-fields.tsx';
import { ApiKeyTasks, type NewKey } from './api-key-tasks.tsx';
import { ExpiryField, expiryOf } from './expiry-field.tsx';
import { inOrder, isRevoked, keyColumns, nameColumn } from './key-columns.tsx';
import { KeyOnce } from './key-once.tsx';

export function ApiKeysPage() {
  const { can } = useWorkspace();
  return can('manage_api_keys') ? <ApiKeys /> : <ClosedPage title="API keys" permission="manage_api_keys" />;
}

function ApiKeys() {
  const workspace = useWorkspace();
  const members = useMembers();
  const keys = usePages(
    (signal) => client.apiKeys.list(workspace.id, { limit: 50 }, { signal }),
    ['api-keys', workspace.id],
  );
  // In the address, so that the palette can lead to it.
  const creating = useFilters(['new']);
  const made = useSignal<NewKey>();
  const task = useSignal<KeyTask>();
  const create = (
    <Button kind="primary" icon="plus" onClick={() => creating.set({ new: '1' })}>
      New key
    </Button>
  );

  return (
    <Page title="API keys" note={countNote(keys)} actions={create}>
      <Table
        caption="API keys"
        items={inOrder(keys.items)}
        rowKey={({ id }) => id}
        muted={isRevoked}
        columns={[
          nameColumn(({ created_by }) => members.find(({ user_id }) => user_id === created_by)?.email),
          {
            label: 'Maximum role',
            hideWhenNarrow: 'first',
            cell: ({ role }) => (role === null ? <span class="faint">Its creator’s</span> : statusWord(role)),
          },
          ...keyColumns,
          {
            label: '',
            align: 'end',
            cell: (key) => <ApiKeyActions apiKey={key} onTask={(next) => (task.value = next)} />,
          },
        ]}
        empty={
          <EmptyState title="No API keys yet" action={create}>
            A key lets a program or the command line use the API of this workspace.
          </EmptyState>
        }
      />
      <p class="faint">
        Your personal keys, for all your workspaces, are on{' '}
        <a class="link" href={workspace.href('account')}>
          your account
        </a>
        .
      </p>
      <LoadMore pages={keys} />

      <Dialog open={creating.active} title="New API key" size="extra-wide" onClose={creating.clear}>
        <Form
          submit="Create"
          onCancel={creating.clear}
          action={async (fields) => {
            const body = { ...apiKeyBody(fields, workspace.role), expires_at: expiryOf(fields) };
            made.value = { key: await client.apiKeys.create(workspace.id, body) };
            creating.clear();
          }}
        >
          <ApiKeyFields expiry={<ExpiryField />} />
        </Form>
      </Dialog>
      <ApiKeyTasks
        task={task.value}
        onClose={() => (task.value = undefined)}
        onMade={(key) => (made.value = key)}
      />
      <KeyOnce made={made.value?.key} note={made.value?.note} onClose={() => (made.value = undefined)} />
    </Page>
  );
}
