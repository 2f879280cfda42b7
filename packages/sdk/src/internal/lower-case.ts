/** Header names compare in any case; one spelling lets a later one win over an earlier. */
export function lowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) lower[name.toLowerCase()] = value;
  return lower;
}
