import { createHash } from 'node:crypto';

/**
 * The marker of a step of a run: 32 hexadecimal digits that stay the same on every attempt. If a response was lost, or the
 * process died before it was stored, the next attempt finds the result by its marker instead of making it again.
 */
export const stepMarker = (key: string): string =>
  createHash('sha256').update(`hubline step\n${key}`).digest('hex').slice(0, 32);
