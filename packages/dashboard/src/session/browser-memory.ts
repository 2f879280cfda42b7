/** Reads localStorage, if the browser allows it: with all cookies blocked, every access throws. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A value that cannot be remembered is asked for again.
  }
}
