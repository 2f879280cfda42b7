/** Settings as the operator gave them. */
export interface GivenSettings<Name extends string> {
  /** Flags win over the environment, in which an empty variable counts as unset. */
  values: Readonly<Partial<Record<Name, unknown>>>;
  /** The flag or variable that each came from, for messages; for a setting that was not given, its flag. */
  names: Readonly<Record<Name, string>>;
}

/** Collects settings from flags, by their camel-case name, and from the environment. */
export function readGiven<Name extends string>(
  settings: readonly Name[],
  flags: Readonly<Partial<Record<Name, unknown>>>,
  env: Readonly<Record<string, string | undefined>>,
): GivenSettings<Name> {
  const rows = settings.map((name) => {
    const value = env[envName(name)];
    const isFromEnv = flags[name] === undefined && value !== undefined && value !== '';
    return {
      name,
      value: isFromEnv ? value : flags[name],
      givenAs: isFromEnv ? envName(name) : flagName(name),
    };
  });
  return {
    values: Object.fromEntries(rows.map(({ name, value }) => [name, value])) as GivenSettings<Name>['values'],
    names: Object.fromEntries(
      rows.map(({ name, givenAs }) => [name, givenAs]),
    ) as GivenSettings<Name>['names'],
  };
}

/** The variable of a setting. */
export const envName = (name: string): string =>
  `HUBLINE_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const flagName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
