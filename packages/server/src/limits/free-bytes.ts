// Fewer bytes are not worth the call.
const LEAST_BYTES = 8 * 1024;

/**
 * Gives the memory of a buffer back to the system at once: nobody may use it any longer, and it is empty from now on. Otherwise it would stay
 * until V8 collects it, which is after another 64 MB of buffers. A buffer that shares its memory is left alone.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= LEAST_BYTES && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
