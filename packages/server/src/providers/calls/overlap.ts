import type { Credentials } from '../tools.ts';

/** The replaced credentials, and the time until which they still verify calls, under names that no provider has. */
const PREVIOUS = 'previous';
const UNTIL = 'previous_until';

/** The fields by which credentials keep the ones that they replace until this time. */
export function overlapWith({ [PREVIOUS]: _, [UNTIL]: __, ...old }: Credentials, until: Date): Credentials {
  return { [PREVIOUS]: JSON.stringify(old), [UNTIL]: until.toISOString() };
}

/** The fields of an overlap that began before, until its end; then, and without one, none. */
export function overlapOf({ [PREVIOUS]: previous, [UNTIL]: until }: Credentials, now: Date): Credentials {
  return previous === undefined || until === undefined || until <= now.toISOString()
    ? {}
    : { [PREVIOUS]: previous, [UNTIL]: until };
}

/** The end of the overlap; `null` for none. */
export const overlapEnd = ({ [UNTIL]: until }: Credentials): string | null => until ?? null;

/** The credentials that were replaced, until the end of the overlap; then, and without one, `null`. */
export function previousOf(credentials: Credentials, now: Date): Credentials | null {
  const { [PREVIOUS]: previous } = overlapOf(credentials, now);
  return previous === undefined ? null : (JSON.parse(previous) as Credentials);
}
