import { usageError } from '../errors/errors.ts';

/** Refuses an update that changes nothing, because a flag was forgotten. The keys are the flags' names, in camel case. */
export function assertSomeFlag(changes: Readonly<Record<string, unknown>>): void {
  if (Object.values(changes).some((value) => value !== undefined)) return;
  const names = Object.keys(changes).map(
    (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  throw usageError('There is nothing to change.', `Add one of: ${names.join(', ')}.`);
}
