import { encodeMark } from './mark.ts';

const FILLER = 'The quick brown fox jumps over the lazy dog. '.repeat(18);

/** The body of one event, about 1 KB, as every contender accepts it. Split around the mark, the only part that changes. */
export const EVENT_BODY = split(
  JSON.stringify({
    type: 'deploy',
    source: 'bench',
    payload: { mark: '#', repository: 'octocat/hello-world', environment: 'production', text: FILLER },
  }),
);

export const EVENT_BODY_LENGTH =
  EVENT_BODY.before.length + EVENT_BODY.after.length + encodeMark({ sequence: 0, sentAtUs: 0 }).length;

/** The body of a request with several events, whose marks count up from `first`. */
export function batchBody(events: number, first: number, sentAtUs: number): string {
  const texts = Array.from(
    { length: events },
    (_, index) => EVENT_BODY.before + encodeMark({ sequence: first + index, sentAtUs }) + EVENT_BODY.after,
  );
  return `{"events":[${texts.join(',')}]}`;
}

export const batchLength = (events: number): number =>
  '{"events":[]}'.length + events * (EVENT_BODY_LENGTH + 1) - 1;

function split(text: string): { before: string; after: string } {
  const [before = '', after = ''] = text.split('#');
  return { before, after };
}
