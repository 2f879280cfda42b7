import { signal } from '@preact/signals';

/** True while the window can be seen. A page that is left may be kept for the way back, and stands still at once. */
export const visible = signal(!document.hidden);
const look = () => (visible.value = !document.hidden);
document.addEventListener('visibilitychange', look);
addEventListener('pageshow', look);
addEventListener('pagehide', () => (visible.value = false));

/** Reports whether the window can be seen. Polling rests while it cannot. */
export const useVisible = (): boolean => visible.value;
