type Bytes = Uint8Array<ArrayBuffer>;

export function encodeUtf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** One byte per character, as `atob` gives them. */
export function fromLatin1(text: string): Bytes {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

export function concatBytes(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
