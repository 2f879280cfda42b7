/** One HTTP/1.1 message: the start line with its headers, and the bytes after them. */
export type OnMessage = (head: string, body: Buffer) => void;

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * Cuts a keep-alive connection into messages. The load generator and the receiver share the machine with what they
 * measure: this costs a tenth of a full HTTP stack, and knows only what the contenders send.
 */
export function createHttpReader(onMessage: OnMessage): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const headEnd = rest.indexOf(END_OF_HEAD);
      if (headEnd === -1) return;
      const head = rest.toString('latin1', 0, headEnd);
      const end = messageEnd(rest, head, headEnd + END_OF_HEAD.length);
      if (end === -1 || end > rest.length) return;
      const body = rest.subarray(headEnd + END_OF_HEAD.length, end);
      rest = rest.subarray(end);
      onMessage(head, body);
    }
  };
}

function messageEnd(bytes: Buffer, head: string, bodyStart: number): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bodyStart + Number(length);
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return bodyStart;
  const last = bytes.indexOf(LAST_CHUNK, bodyStart);
  return last === -1 ? -1 : last + LAST_CHUNK.length;
}
