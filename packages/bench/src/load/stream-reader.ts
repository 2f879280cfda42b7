import { request, type RequestOptions } from 'node:http';

interface Listener {
  /** Called when the response begins: every event that is stored from now on will come. */
  onOpen: () => void;
  /** Called for each complete event. */
  onEvent: (id: string) => void;
}

/** Reads a stream of server-sent events until it ends, or the signal among `options` aborts it. */
export function readStream(options: RequestOptions, { onOpen, onEvent }: Listener): Promise<void> {
  return new Promise((resolve) => {
    let rest = '';
    const outgoing = request(options, (response) => {
      onOpen();
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const id = /^id: (\w+)\nevent: event\n/m.exec(block)?.[1];
          // A separate string: otherwise V8 keeps the whole block in memory for its ID.
          if (id !== undefined) onEvent(Buffer.from(id).toString());
        }
      });
      response.on('error', () => {});
      response.on('close', resolve);
    });
    outgoing.on('error', () => resolve());
    outgoing.end();
  });
}
