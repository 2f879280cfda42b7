import { expect, it } from 'vitest';
import { interruptible } from './interruptible.ts';

it('ends with the reason of a signal that is aborted already, and leaves no rejection unhandled', async () => {
  const reason = new Error('stopped');
  const work = Promise.reject(new Error('the request was aborted'));
  await expect(interruptible(work, AbortSignal.abort(reason))).rejects.toBe(reason);
});
