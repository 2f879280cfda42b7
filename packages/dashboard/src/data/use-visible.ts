import { signal } from '@preact/signals';

const visible = signal(!document.hidden);
document.addEventListener('visibilitychange', () => (visible.value = !document.hidden));

/** Reports whether the window can be seen. Polling and streams rest while it cannot: six tabs use up all connections. */
export const useVisible = (): boolean => visible.value;
