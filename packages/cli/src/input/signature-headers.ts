/** Headers as `Name: value`; a value alone is that of `X-Service-Signature`. */
export function parseSignatureHeaders(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(text) ?? [];
      return [name?.toLowerCase() ?? 'x-service-signature', value ?? text];
    }),
  );
}
