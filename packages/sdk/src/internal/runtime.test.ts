import { expect, it, vi } from 'vitest';
import { loadOnce } from './runtime.ts';

it('loads once, at the first use, even for concurrent callers', async () => {
  const load = vi.fn(() => Promise.resolve({}));
  const loaded = loadOnce(load);
  expect(load).not.toHaveBeenCalled();
  const [first, second] = await Promise.all([loaded(), loaded()]);
  expect(second).toBe(first);
  expect(await loaded()).toBe(first);
  expect(load).toHaveBeenCalledTimes(1);
});

it('does not keep a failure', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('EMFILE'))
    .mockResolvedValue('ky');
  const loaded = loadOnce(load);
  await expect(loaded()).rejects.toThrow('EMFILE');
  expect(await loaded()).toBe('ky');
});
