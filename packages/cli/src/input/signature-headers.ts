import { DELIVERY_HEADERS } from '@hubline/contract/constants';
/** Headers as `Name: value`; a value alone is that of `X-Service-Signature`. */
export function parseSignatureHeaders(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(text) ?? [];
      return [(name ?? DELIVERY_HEADERS.signature).toLowerCase(), value ?? text];
    }),
  );
}
