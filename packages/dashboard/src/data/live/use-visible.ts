import { computed, signal } from '@preact/signals';

/** True while nobody is logged in: a page may wait behind the login. */
export const covered = signal(false);
const shown = signal(!document.hidden);
const look = () => (shown.value = !document.hidden);
document.addEventListener('visibilitychange', look);
addEventListener('pageshow', look);
addEventListener('pagehide', () => (shown.value = false));

/** True while the page is visible. One that the browser keeps for Back stops at once. */
export const visible = computed(() => shown.value && !covered.value);

/** Reports whether the page can be seen. Polling rests while it cannot. */
export const useVisible = (): boolean => visible.value;
