/**
 * A sender thread that dies in the middle of some calls: those to `/die`, and those to `/die-once?<file>` while that
 * file does not exist.
 */
import { subscribe } from 'node:diagnostics_channel';
import { existsSync, writeFileSync } from 'node:fs';

subscribe('undici:request:bodySent', (message) => {
  const { path } = (message as { request: { path: string } }).request;
  const [, file] = path.split('?');
  if (path.startsWith('/die-once') && file !== undefined && !existsSync(file)) writeFileSync(file, '');
  else if (path !== '/die') return;
  // An uncaught error ends the thread alone. The kernel already has the bytes of the call.
  throw new Error('this sender dies');
});

await import('../../../src/delivery/senders/sender-thread.ts');
