/**
 * `JSON.parse`, except for numbers that would not be printed again as they are written, such as `1.0` and integers beyond 2^53: what
 * passes through keeps them.
 */
export function parseJSON(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && String(value) !== source ? JSON.rawJSON(source) : value,
  );
}
