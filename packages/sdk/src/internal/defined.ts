/** The fields that have a value: an explicit `undefined` means "not given", and must not overwrite what was. */
export const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
