import { fireEvent } from '@testing-library/preact';

/** Hides the window, or shows it again. */
export function hideWindow(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  fireEvent(document, new Event('visibilitychange'));
}
