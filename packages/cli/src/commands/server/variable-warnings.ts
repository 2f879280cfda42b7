import { VARIABLES } from '../help/variables.ts';

/** Sentences about variables that have no effect on a server or a command, such as a mistyped `HUBLINE_PROT`. */
export async function variableWarnings(env: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const { providers, unknownVariables } = await import('@hubline/server');
  return unknownVariables(env, providers)
    .filter((name) => !Object.hasOwn(VARIABLES, name))
    .map(
      (name) =>
        `${name} is not a variable of Hubline, and has no effect. Check its spelling: hubline help environment`,
    );
}
