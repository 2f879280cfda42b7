import { expect, it } from 'vitest';
import { Closing } from './closing.ts';

it('closes in the reverse order, each only when the one before has closed', async () => {
  const told: string[] = [];
  const closing = new Closing();
  closing.add(() => told.push('database'));
  closing.add(async () => {
    told.push('requests…');
    await new Promise((resolve) => setImmediate(resolve));
    told.push('…requests');
  });
  await closing.close();
  expect(told).toEqual(['requests…', '…requests', 'database']);
  await closing.close();
  expect(told).toHaveLength(3);
});

it('closes the others when one cannot be closed, and then throws its error', async () => {
  const told: string[] = [];
  const closing = new Closing();
  closing.add(() => told.push('lock'));
  closing.add(() => {
    throw new Error('the file is gone');
  });
  closing.add(async () => {
    throw new Error('the port is gone');
  });
  await expect(closing.close()).rejects.toThrow('the port is gone');
  expect(told).toEqual(['lock']);
});
