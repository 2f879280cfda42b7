/** An HTTP thread that dies of a request. */
import { subscribe } from 'node:diagnostics_channel';

subscribe('http.server.request.start', () => {
  process.nextTick(() => {
    // An uncaught error ends the thread alone.
    throw new Error('this thread dies');
  });
});

await import('../../../../src/http/front/http-thread.ts');
