// Freeing a smaller buffer is not worth the call.
const LEAST_BYTES = 8 * 1024;

/**
 * Gives the memory of a buffer back to the system at once. The buffer is empty afterward, so nobody may still need it. Without this, the
 * memory stays until V8 collects it, after another 64 MB of buffers. A buffer that shares its memory with others is left alone.
 */
export function releaseBuffer({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= LEAST_BYTES && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
