import { vi } from 'vitest';

type Core = typeof import('../src/index.ts') & typeof import('../src/hmac.ts');

/**
 * The sources, freshly loaded, on one of the two cryptographies: `node` as it is here, `webcrypto` as in a browser, where
 * nothing hands out `node:crypto`. The choice is made at the first signature, so one is made before the spy is removed.
 */
export async function loadBackend(backend: 'node' | 'webcrypto'): Promise<Core> {
  vi.resetModules();
  const core = { ...(await import('../src/index.ts')), ...(await import('../src/hmac.ts')) };
  const sign = () => core.hmac({ text: 'key', encoding: 'utf8' }, ['body'], 'hex');
  const spy = vi.spyOn(process, 'getBuiltinModule');
  if (backend === 'webcrypto') spy.mockReturnValue(undefined);
  await sign();
  spy.mockRestore();
  if (sign() instanceof Promise !== (backend === 'webcrypto')) throw new Error(`not on ${backend}`);
  return core;
}

export const BACKENDS = ['node', 'webcrypto'] as const;
