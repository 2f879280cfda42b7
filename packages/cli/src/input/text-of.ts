/**
 * The text of a file that a person, or a program of Windows, wrote: without a byte order mark. `>` and `Out-File` of Windows PowerShell write
 * UTF-16, which a mark of its own tells apart.
 */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder(isUtf16(bytes) ? 'utf-16le' : 'utf-8').decode(bytes);
}

export const isUtf16 = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xfe;
