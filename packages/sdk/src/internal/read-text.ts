/** The text of a body, in pieces as they arrive. */
export async function* decodeText(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    if (text) yield text;
  }
}

/** Reads at most `maxBytes` of a body as text; `complete` is false when there was more, which is then dropped. */
export async function readText(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<{ text: string; complete: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the iterator, and with it the connection.
    if (bytes > maxBytes) return { text, complete: false };
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode(), complete: true };
}
