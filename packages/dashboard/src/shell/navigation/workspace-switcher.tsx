import type { Session } from '../../api/session.ts';
import { useLocation } from 'preact-iso/router';
import { Popover } from '../../components/controls/popover.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { useWorkspace } from '../../session/workspace.ts';

/** Links to the same page in other workspaces, and to a new workspace. */
export function WorkspaceSwitcher({ memberships }: { memberships: Session['memberships'] }) {
  const { path } = useLocation();
  const { name, role, slug, href } = useWorkspace();
  // An event of one workspace is not in another, so only `events` is kept of `events/evt_…`.
  const [section = 'overview', part = ''] = path.split('/').slice(3);
  const page = section === 'settings' && part ? `${section}/${part}` : section;
  return (
    <Popover
      class="switch"
      label={
        <>
          <span class="sr">Workspace: </span>
          <span class="tile-mark" aria-hidden="true">
            {initial(name)}
          </span>
          <span class="grow clip">
            <b class="clip">{name}</b>
            <small>{role}</small>
          </span>
          <Icon name="updown" size="s" />
        </>
      }
    >
      {(close) => (
        <>
          {memberships.map((each) => (
            <a
              key={each.workspace_id}
              role="menuitemradio"
              aria-checked={each.slug === slug}
              href={`/w/${each.slug}/${page}`}
              onClick={close}
            >
              <span class="tile-mark" aria-hidden="true">
                {initial(each.name)}
              </span>
              <span class="grow clip">{each.name}</span>
              {each.slug === slug && <Icon name="check" size="s" />}
            </a>
          ))}
          <hr />
          <a role="menuitem" href={`${href('settings')}?new=workspace`} onClick={close}>
            <Icon name="plus" size="s" />
            New workspace
          </a>
        </>
      )}
    </Popover>
  );
}

const initial = (name: string): string => [...name][0]?.toUpperCase() ?? '';
