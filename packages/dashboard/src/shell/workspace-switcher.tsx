import type { Session } from '../api/session.ts';
import { useLocation } from 'preact-iso/router';
import { useWorkspace } from './workspace.ts';

/** The same page in another workspace. */
export function WorkspaceSwitcher({ memberships }: { memberships: Session['memberships'] }) {
  const { path, route } = useLocation();
  const { slug } = useWorkspace();
  // An event of one workspace is not in another: of `events/evt_…` only `events` goes along.
  const [section = 'overview', part = ''] = path.split('/').slice(3);
  const page = section === 'settings' && part ? `${section}/${part}` : section;
  return (
    <select
      class="input"
      aria-label="Workspace"
      value={slug}
      onChange={(event) => route(`/w/${event.currentTarget.value}/${page}`)}
    >
      {memberships.map((each) => (
        <option key={each.workspace_id} value={each.slug}>
          {each.name}
        </option>
      ))}
    </select>
  );
}
