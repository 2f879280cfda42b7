import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { installScrollMemory } from './shell/scroll-memory.ts';
import { applyTheme, theme } from './shell/theme.ts';

applyTheme(theme.value);
installScrollMemory();
const root = document.getElementById('app');
if (root) render(<App />, root);
