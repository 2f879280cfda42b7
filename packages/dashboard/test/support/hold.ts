import { onTestFinished } from 'vitest';

/** Holds the next writes whose address contains `part`, until they are let through or fail. */
export function hold(part: string) {
  const { fetch } = globalThis;
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  globalThis.fetch = async (input, init) => {
    const isWrite = (init?.method ?? 'GET') !== 'GET';
    if (isWrite && String(input instanceof Request ? input.url : input).includes(part)) {
      begun.resolve();
      await held.promise;
    }
    return fetch(input, init);
  };
  onTestFinished(() => void (globalThis.fetch = fetch));
  return {
    begun: begun.promise,
    release: () => held.resolve(),
    fail: () => held.reject(new TypeError('Failed to fetch')),
  };
}
