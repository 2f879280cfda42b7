import { createHash } from 'node:crypto';

/**
 * The mark of a step of a run: 32 hexadecimal digits that stay the same on every try. Where an answer was lost, or the process
 * died before it was stored, the result is found by its mark and not made again.
 */
export const stepMark = (key: string): string =>
  createHash('sha256').update(`hubline step\n${key}`).digest('hex').slice(0, 32);
