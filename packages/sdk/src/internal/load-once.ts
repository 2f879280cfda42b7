/**
 * Loads something at its first use and keeps it: `import()` takes 4 µs each time, also of what is loaded. A failure is not
 * kept, so that a program which had no file handle left can go on when it has.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
