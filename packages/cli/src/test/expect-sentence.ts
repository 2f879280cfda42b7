import { expect } from 'vitest';

/** A failed start, for people: what is wrong and what to do, in a few lines and without a stack. */
export function expectSentence({ code, out, err }: { code: number | null; out: string; err: string }): void {
  expect({ code, out, err }).toMatchObject({ code: 2, out: '' });
  expect(err).toMatch(/^Error: /);
  expect(err).not.toMatch(/\n\s+at |looks like a bug|SQLITE_|\bE[A-Z]{4,}\b/);
}
