import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { client } from '../../api/client.ts';
import { setMemberships } from '../../api/session.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/fields/form.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { toast } from '../../components/dialogs/toast.tsx';

const SLUG_MAX = 50;

/** A slug for a name: `Éclair & Co` is `eclair-co`. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, SLUG_MAX)
    .replaceAll(/^-+|-+$/g, '');
}

/** Creates a workspace with the user as its owner, and goes there. */
export function NewWorkspaceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title="New workspace" onClose={onClose}>
      <NewWorkspaceForm onClose={onClose} />
    </Dialog>
  );
}

function NewWorkspaceForm({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  const suggested = useSignal('');
  return (
    <Form
      submit="Create"
      onCancel={onClose}
      action={async (fields) => {
        const { id, name, slug } = await client.workspaces.create({
          name: fields.text('name'),
          slug: fields.text('slug') || suggested.value,
        });
        setMemberships((all) => [...all, { workspace_id: id, name, slug, role: 'owner' }]);
        route(`/w/${slug}/overview`);
        toast(`Created ${name}.`);
      }}
    >
      <p class="faint">
        A workspace has its own members, integrations, events and webhooks. You become its owner.
      </p>
      <TextField
        name="name"
        label="Name"
        placeholder="Acme"
        onInput={(name) => (suggested.value = slugOf(name))}
      />
      <TextField
        name="slug"
        label="Slug"
        mono
        placeholder="acme"
        // Follows the name for as long as nothing was typed here.
        value={suggested.value}
        hint="Part of every link: lowercase letters, digits and hyphens."
      />
    </Form>
  );
}
