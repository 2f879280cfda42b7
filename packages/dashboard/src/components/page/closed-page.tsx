import type { Permission } from '@hubline/contract/constants';
import { rolesWith } from '../../api/permissions.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { EmptyState } from './empty-state.tsx';
import { Page } from './page.tsx';

/** A page that the role does not open: says for whom it is, and who can change that. */
export function ClosedPage({ title, permission }: { title: string; permission: Permission }) {
  const { role, href } = useWorkspace();
  return (
    <Page title={title}>
      <EmptyState
        title={`For ${rolesWith(permission)}`}
        action={
          <a class="btn" href={href('members')}>
            Members
          </a>
        }
      >
        Your role is {role}. They can give you another one.
      </EmptyState>
    </Page>
  );
}
