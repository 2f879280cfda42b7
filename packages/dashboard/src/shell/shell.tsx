import type { Session } from '../api/session.ts';
import { Route, Router, useLocation } from 'preact-iso/router';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { reachable } from '../api/client.ts';
import { losesPermission } from '../api/permissions.ts';
import { NotFoundPage, workspaceRoutes } from '../routes.tsx';
import { rememberWorkspace } from '../session/last-workspace.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { Palette } from './palette/palette.tsx';
import { usePaletteKey } from './palette/use-palette-key.ts';
import { BottomBar, NarrowBar } from './navigation/narrow-bars.tsx';
import { useInbox } from './navigation/inbox.ts';
import { Sidebar } from './navigation/sidebar.tsx';
import { WorkspaceContext } from '../session/workspace.ts';

/** The frame around every page of a workspace. */
export function Shell({ me, membership }: { me: Session; membership: Session['memberships'][number] }) {
  const { path } = useLocation();
  const { workspace_id: id, name, slug, role } = membership;
  const workspace = useMemo(() => ({ id, name, slug, role, user: me.user }), [id, name, slug, role, me.user]);
  useEffect(() => rememberWorkspace(slug), [slug]);
  useInbox(id);
  const losses = usePermissionLosses(role);
  const [open, setOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  const search = () => {
    setOpen(false);
    setSearching(true);
  };
  usePaletteKey(search);
  useEffect(() => setOpen(false), [path]);
  return (
    <WorkspaceContext.Provider value={workspace}>
      <a class="skip-link" href="#main">
        Skip to the page
      </a>
      <div class="app">
        <Sidebar me={me} open={open} onClose={() => setOpen(false)} onSearch={search} />
        <main id="main" class="sheet" tabIndex={-1}>
          <NarrowBar me={me} open={open} onOpen={() => setOpen(true)} onSearch={search} />
          {!reachable.value && <Unreachable />}
          {canDecode(path) ? (
            <Router key={losses}>
              {Object.entries(workspaceRoutes).map(([page, component]) => (
                <Route key={page} path={`/w/:slug/${page}`} component={component} />
              ))}
              <Route default component={NotFoundPage} />
            </Router>
          ) : (
            <NotFoundPage />
          )}
        </main>
        <BottomBar />
      </div>
      {searching && <Palette onClose={() => setSearching(false)} />}
      <ShortcutHelp />
    </WorkspaceContext.Provider>
  );
}

/** Reports whether the router, which decodes an address, can read it: `%FF` is no character. */
function canDecode(path: string): boolean {
  try {
    return decodeURI(path) !== '';
  } catch {
    return false;
  }
}

/** Warns that the server cannot be reached. The page stays; everything is loaded again when the server is back. */
function Unreachable() {
  return (
    <p class="away" role="status">
      The server cannot be reached. The page continues when it is back.
    </p>
  );
}

/** Counts the times that the role lost permissions. After each, the page starts over: nothing that the new role may not do stays open. */
function usePermissionLosses(role: string): number {
  const [seen, setSeen] = useState({ role, losses: 0 });
  if (seen.role !== role) setSeen({ role, losses: seen.losses + (losesPermission(seen.role, role) ? 1 : 0) });
  return seen.losses;
}
