/**
 * Browsers offer `crypto.randomUUID` on https:// and on this machine only, but a server in a home network is often plain
 * http://. The SDK makes the idempotency key of every write with it.
 */
export function ensureRandomUUID(): void {
  if ('randomUUID' in crypto) return;
  Object.defineProperty(crypto, 'randomUUID', { value: randomUUID });
}

/** A UUID of version 4, RFC 9562. */
function randomUUID(): string {
  return '10000000-1000-4000-8000-100000000000'.replaceAll(/[018]/g, (digit) => {
    const random = crypto.getRandomValues(new Uint8Array(1))[0] ?? 0;
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });
}
