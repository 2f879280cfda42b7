interface Surroundings {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly window?: { readonly document?: unknown };
}

const surroundings = globalThis as Surroundings;

/** An environment variable, where there is an environment; an empty one counts as absent. */
export function readEnv(name: string): string | undefined {
  try {
    return surroundings.process?.env?.[name]?.trim() || undefined;
  } catch {
    // Deno asks for a permission and throws when it is refused.
    return undefined;
  }
}

/** Recognizes a web page, where everybody can read the key. */
export const isBrowser = (): boolean => surroundings.window?.document !== undefined;
