import { VARIABLES } from '../help/variables.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Sentences about variables that have no effect on a server or a command, such as a mistyped `HUBLINE_PROT`. */
export async function variableWarnings(env: Env, databaseUrl: string | undefined): Promise<string[]> {
  const { providers, unknownVariables, unreadDatabaseSettings } = await import('@hubline/server');
  const unknown = unknownVariables(env, providers)
    .filter((name) => !Object.hasOwn(VARIABLES, name))
    .map(
      (name) =>
        `${name} is not a variable of Hubline, and has no effect. Check its spelling: hubline help environment`,
    );
  return [...unknown, ...(databaseUrl === undefined ? [] : unreadDatabaseSettings(databaseUrl, env))];
}
