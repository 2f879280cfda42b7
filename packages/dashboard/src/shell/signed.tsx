import type { Session } from '../api/session.ts';
import { useLocation } from 'preact-iso/router';
import { NotFoundPage, shortPaths } from '../routes.tsx';
import { lastWorkspace } from './last-workspace.ts';
import { NoWorkspace } from './no-workspace.tsx';
import { Redirect } from './redirect.tsx';
import { Shell } from './shell.tsx';

/** Finds the workspace of the address; addresses without one lead to the one used last. */
export function Signed({ me }: { me: Session }) {
  const { path, url } = useLocation();
  const [, root, slug] = path.split('/');
  const { memberships } = me;
  if (root === 'w') {
    const membership = memberships.find((each) => each.slug === slug);
    return membership ? (
      <Shell me={me} membership={membership} key={membership.workspace_id} />
    ) : (
      <NotFoundPage />
    );
  }
  if (!shortPaths.includes(path.slice(1))) return <NotFoundPage />;
  const membership = memberships.find((each) => each.slug === lastWorkspace()) ?? memberships[0];
  if (!membership) return <NoWorkspace />;
  return <Redirect to={`/w/${membership.slug}${url === '/' ? '/overview' : url}`} />;
}
