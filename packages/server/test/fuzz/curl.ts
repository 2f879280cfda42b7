import type { FuzzRequest } from './generator/make-request.ts';

const SHOWN_BYTES = 8_000;

/** A request as a line for a shell, with `$URL` for the server and `$KEY` for the key of its caller. */
export function curlLine({ raw, method, path, headers, body }: FuzzRequest): string {
  if (raw) return `printf ${quoted(withoutKeys(raw))} | nc "$HOST" "$PORT"`;
  const { Authorization: key, ...others } = headers;
  const parts = [
    method === 'HEAD' ? 'curl -i --head' : `curl -i -X ${method}`,
    `"$URL"${quoted(Buffer.from(path))}`,
    ...(key === undefined ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...Object.entries(others).map(([name, value]) => `-H ${quoted(Buffer.from(`${name}: ${value}`))}`),
    ...(body === null ? [] : [`--data-binary ${quoted(body)}`]),
  ];
  return parts.join(' ');
}

const withoutKeys = (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').replace(/hl_\w+/g, '$KEY'), 'latin1');

/** Bytes as `$'…'`, which Bash and Zsh read back unchanged. Very long ones are cut. */
function quoted(bytes: Buffer): string {
  const shown = bytes.subarray(0, SHOWN_BYTES);
  const text = Array.from(shown, (byte) => {
    if (byte === 0x27 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`;
  }).join('');
  const cut = bytes.length - shown.length;
  return `$'${text}'${cut > 0 ? ` # and ${cut} bytes more` : ''}`;
}
