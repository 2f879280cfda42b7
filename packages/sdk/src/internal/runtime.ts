interface Surroundings {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly window?: { readonly document?: unknown };
}

const surroundings = globalThis as Surroundings;

/** The value of an environment variable; `undefined` if it is empty, or if the runtime has no environment. */
export function readEnv(name: string): string | undefined {
  try {
    return surroundings.process?.env?.[name]?.trim() || undefined;
  } catch {
    // Deno asks for a permission and throws when it is refused.
    return undefined;
  }
}

/** Recognizes a web page, where anyone can read the key. */
export const isBrowser = (): boolean => !!surroundings.window?.document;

/**
 * Loads something at its first use and keeps it: `import()` takes 4 µs each time, even for a loaded module. A failure is not
 * kept, so that a program that had run out of file handles can try again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
