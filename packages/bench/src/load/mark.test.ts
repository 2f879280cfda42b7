import { expect, it } from 'vitest';
import { batchBody, batchLength, EVENT_BODY, EVENT_BODY_LENGTH } from './event-body.ts';
import { encodeMark, findMark } from './mark.ts';

const mark = { sequence: 123_456, sentAtUs: 9_876_543_210 };

it('finds the mark of an event, whose declared length is right', () => {
  const body = Buffer.from(`${EVENT_BODY.before}${encodeMark(mark)}${EVENT_BODY.after}`);
  expect(findMark(body)).toEqual(mark);
  expect(body).toHaveLength(EVENT_BODY_LENGTH);
});

it('finds the mark inside the envelope of a call', () => {
  const body = JSON.stringify({ id: 'dlv_1', data: { payload: { mark: encodeMark(mark) } } });
  expect(findMark(Buffer.from(body))).toEqual(mark);
});

it('finds none in a call that is not an event of a run', () => {
  expect(findMark(Buffer.from('{"type":"webhook.test"}'))).toBeUndefined();
});

it('counts up through the events of a batch, whose declared length is right', () => {
  const body = batchBody(3, 40, 7);
  expect(body).toHaveLength(batchLength(3));
  const { events } = JSON.parse(body) as { events: object[] };
  const marks = events.map((event) => findMark(Buffer.from(JSON.stringify(event))));
  expect(marks).toEqual([40, 41, 42].map((sequence) => ({ sequence, sentAtUs: 7 })));
});
