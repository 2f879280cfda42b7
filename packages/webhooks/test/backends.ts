import { createHmac } from 'node:crypto';
import { vi } from 'vitest';

type Core = typeof import('../src/index.ts') & typeof import('../src/hmac/hmac.ts');

export const BACKENDS = ['node', 'createHmac', 'webcrypto', 'edge'] as const;

/**
 * Loads the sources afresh with one crypto backend: `node` as it is here, `createHmac` as on a Node without `crypto.hash`,
 * `webcrypto` as in a browser, which has no `node:crypto`, `edge` as in the Edge runtime of Next, which throws when it is asked for a
 * module. The first signature chooses the backend, so one is made before the spy is removed.
 */
export async function loadBackend(backend: (typeof BACKENDS)[number]): Promise<Core> {
  vi.resetModules();
  const core = { ...(await import('../src/index.ts')), ...(await import('../src/hmac/hmac.ts')) };
  const sign = () => core.hmac({ text: 'key', encoding: 'utf8' }, ['body'], 'hex');
  const spy = vi.spyOn(process, 'getBuiltinModule');
  if (backend === 'webcrypto') spy.mockReturnValue(undefined);
  if (backend === 'createHmac') spy.mockReturnValue({ createHmac });
  if (backend === 'edge')
    spy.mockImplementation(() => {
      throw new Error('process.getBuiltinModule is not supported in the Edge Runtime.');
    });
  await sign();
  spy.mockRestore();
  if (sign() instanceof Promise !== (backend === 'webcrypto' || backend === 'edge'))
    throw new Error(`not on ${backend}`);
  return core;
}
