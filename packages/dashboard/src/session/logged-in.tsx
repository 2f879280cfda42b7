import type { Session } from '../api/session.ts';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { followSession } from '../api/session-requests.ts';
import { whileVisible } from '../data/live/while-visible.ts';
import { NotFoundPage, shortPaths } from '../routes.tsx';
import { lastWorkspace } from './last-workspace.ts';
import { NoWorkspace } from './no-workspace.tsx';
import { Redirect } from './redirect.tsx';
import { Removed } from './removed.tsx';
import { Shell } from '../shell/shell.tsx';

/** Finds the workspace of the address; addresses without one lead to the one used last. */
export function LoggedIn({ me }: { me: Session }) {
  const { path, url } = useLocation();
  const [, root, slug] = path.split('/');
  const { memberships } = me;
  const here = root === 'w' ? memberships.find((each) => each.slug === slug) : undefined;
  const shown = useRef<Session['memberships'][number] | undefined>(undefined);
  useEffect(() => {
    if (here) shown.current = here;
  }, [here]);
  useEffect(() => whileVisible(followSession), []);

  if (root === 'w') {
    const before = shown.current?.slug === slug ? shown.current : undefined;
    const membership = here ?? memberships.find((each) => each.workspace_id === before?.workspace_id);
    if (!membership) return before ? <Removed name={before.name} /> : <NotFoundPage />;
    // Under a new slug, the page stays as it is, with all that is typed in it: only its address changes.
    return (
      <>
        <Shell me={me} membership={membership} key={membership.workspace_id} />
        {!here && <Redirect to={url.replace(`/w/${slug}`, `/w/${membership.slug}`)} />}
      </>
    );
  }
  if (!shortPaths.includes(path.slice(1))) return <NotFoundPage />;
  const membership = memberships.find((each) => each.slug === lastWorkspace()) ?? memberships[0];
  if (!membership) return <NoWorkspace />;
  return <Redirect to={`/w/${membership.slug}${url === '/' ? '/overview' : url}`} />;
}
