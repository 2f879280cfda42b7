import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { workspaceRoutes } from './routes.tsx';
import { installFullText } from './shell/full-text.ts';
import { installKeptFocus } from './shell/kept-focus.ts';
import { installScrollMemory } from './shell/scroll-memory.ts';
import { installScrollKeys } from './shell/scroller.ts';

installScrollMemory();
installFullText();
installKeptFocus();
installScrollKeys();
// Loads the page while the session is being read, not after it.
const [, , , page = ''] = location.pathname.split('/');
if (Object.hasOwn(workspaceRoutes, page)) workspaceRoutes[page as keyof typeof workspaceRoutes].preload();
const root = document.getElementById('app');
// Preact would leave the logo of index.html beside the app.
root?.replaceChildren();
if (root) render(<App />, root);
// Loads all other pages in advance, so that they work while the server is away for a moment.
setTimeout(workspaceRoutes.members.preload, 3_000);
