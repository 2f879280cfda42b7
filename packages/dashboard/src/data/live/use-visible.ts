import { signal } from '@preact/signals';

/** True while the window is visible. A page that the browser keeps for Back stops at once. */
export const visible = signal(!document.hidden);
const look = () => (visible.value = !document.hidden);
document.addEventListener('visibilitychange', look);
addEventListener('pageshow', look);
addEventListener('pagehide', () => (visible.value = false));

/** Reports whether the window can be seen. Polling rests while it cannot. */
export const useVisible = (): boolean => visible.value;
