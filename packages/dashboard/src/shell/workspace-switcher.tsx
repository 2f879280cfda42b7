import type { Session } from '../api/session.ts';
import { useLocation } from 'preact-iso/router';
import { useWorkspace } from '../session/workspace.ts';

/** No slug has a slash. */
const NEW = '/new';

/** The same page in another workspace, and the way to a new one. */
export function WorkspaceSwitcher({ memberships }: { memberships: Session['memberships'] }) {
  const { path, route } = useLocation();
  const { slug, href } = useWorkspace();
  // An event of one workspace is not in another: of `events/evt_…` only `events` goes along.
  const [section = 'overview', part = ''] = path.split('/').slice(3);
  const page = section === 'settings' && part ? `${section}/${part}` : section;
  return (
    <select
      class="input"
      aria-label="Workspace"
      value={slug}
      onChange={(event) => {
        const { value } = event.currentTarget;
        event.currentTarget.value = slug;
        route(value === NEW ? `${href('settings')}?new=workspace` : `/w/${value}/${page}`);
      }}
    >
      {memberships.map((each) => (
        <option key={each.workspace_id} value={each.slug}>
          {each.name}
        </option>
      ))}
      <hr />
      <option value={NEW}>New workspace …</option>
    </select>
  );
}
