import { signal } from '@preact/signals';

const visible = signal(!document.hidden);
document.addEventListener('visibilitychange', () => (visible.value = !document.hidden));

/** Whether the window can be seen. What goes on by itself should rest while it cannot: six tabs use up all connections. */
export const useVisible = (): boolean => visible.value;
