type Headers = Readonly<Record<string, string | undefined>>;

/** Header names compare in any case: one spelling lets a later one win over an earlier. `undefined` wins over nothing. */
export function lowerCase(headers: Headers = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}
