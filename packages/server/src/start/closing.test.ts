import { expect, it } from 'vitest';
import { nextTurn } from '../clock/timer.ts';
import { Closing } from './closing.ts';

/** With the log lines that it writes. */
function newClosing() {
  const logged: { error: unknown; message: string }[] = [];
  const closing = new Closing({ warn: (fields, message) => logged.push({ error: fields, message }) });
  return { closing, logged };
}

it('closes in the reverse order, each only when the one before has closed', async () => {
  const closed: string[] = [];
  const { closing, logged } = newClosing();
  closing.add('the database', () => closed.push('database'));
  closing.add('the requests', async () => {
    closed.push('requests…');
    await nextTurn();
    closed.push('…requests');
  });
  await closing.close();
  expect(closed).toEqual(['requests…', '…requests', 'database']);
  await closing.close();
  expect(closed).toHaveLength(3);
  expect(logged).toEqual([]);
});

it('closes the others when some cannot be closed, logs each by its name, and then throws the first error', async () => {
  const closed: string[] = [];
  const { closing, logged } = newClosing();
  closing.add('the lock', () => closed.push('lock'));
  const file = new Error('the file is gone');
  closing.add('the file', () => {
    throw file;
  });
  const port = new Error('the port is gone');
  closing.add('the port', async () => {
    throw port;
  });
  await expect(closing.close()).rejects.toThrow('the port is gone');
  expect(closed).toEqual(['lock']);
  expect(logged).toEqual([
    { error: { err: port }, message: 'could not close the port' },
    { error: { err: file }, message: 'could not close the file' },
  ]);
});
