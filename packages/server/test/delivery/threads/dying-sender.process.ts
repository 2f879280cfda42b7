/**
 * A sender thread that dies in the middle of some calls: those to `/die`, and those to `/die-once?<file>` while that
 * file does not exist.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { HttpConnection } from '../../../src/outbound/pool/http-connection.ts';

const { begin } = HttpConnection.prototype;
HttpConnection.prototype.begin = function (this: HttpConnection, exchange, isReused) {
  begin.call(this, exchange, isReused);
  const [, path = '', file] = /^POST ([^ ?]*)\??([^ ]*)/.exec(String(exchange.bytes[0])) ?? [];
  if (path === '/die-once' && file !== undefined && !existsSync(file)) writeFileSync(file, '');
  else if (path !== '/die') return;
  // An uncaught error ends the thread alone. The kernel already has the bytes of the call.
  process.nextTick(() => {
    throw new Error('this sender dies');
  });
};

await import('../../../src/delivery/senders/sender-thread.ts');
