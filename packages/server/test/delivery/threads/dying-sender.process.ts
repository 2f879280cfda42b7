/**
 * The thread of a sender that dies in the middle of some calls: those to `/die`, and those to `/die-once?<file>` for which that file
 * does not exist yet.
 */
import { subscribe } from 'node:diagnostics_channel';
import { existsSync, writeFileSync } from 'node:fs';

subscribe('undici:request:bodySent', (message) => {
  const { path } = (message as { request: { path: string } }).request;
  const [, file] = path.split('?');
  if (path.startsWith('/die-once') && file !== undefined && !existsSync(file)) writeFileSync(file, '');
  else if (path !== '/die') return;
  // Nobody catches it, which ends the thread alone. The bytes of the call are the kernel's already.
  throw new Error('this sender dies');
});

await import('../../../src/delivery/senders/sender-thread.ts');
