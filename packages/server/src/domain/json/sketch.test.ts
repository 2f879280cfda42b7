import { expect, it } from 'vitest';
import { measureJson } from './json-measure.ts';
import { sketch } from './sketch.ts';

/** The value of the sketch of a text. */
const left = (text: string): unknown =>
  JSON.parse(sketch(text, measureJson(text, { depth: 64, freeForm: 'payload' }).freeForms));

const long = `[${'1,'.repeat(40_000)}1]`;

it('leaves a short payload as it is', () => {
  const text = ' { "type" : "a" , "payload" : { "a" : [ 1.0 , {} ] } , "z" : 1 } ';
  expect(left(text)).toEqual(JSON.parse(text));
});

it('empties long objects, shortens long arrays, and keeps the members around them', () => {
  const text = `{"payload": {"a": 1, "b": ${long}, "c": {"d": ${long}}, "e": "x", "f": {"g": [2]}}, "type": "a"}`;
  const { payload, type } = left(text) as { payload: { b: number[] }; type: string };
  const ones = Array.from({ length: 100 }, () => 1);
  expect({ ...payload, b: payload.b.slice(0, 100) }).toEqual({ a: 1, b: ones, c: {}, e: 'x', f: { g: [2] } });
  expect(type).toBe('a');
  expect(payload.b.length).toBeLessThan(10_000);
});

it('keeps the first elements of a long array that has nothing around it', () => {
  const elements = (left(`{"payload": ${long}}`) as { payload: number[] }).payload;
  expect(elements.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 1));
  expect(elements.length).toBeLessThan(40_000);
});

it('leaves out other long values', () => {
  const text = `{"payload": {"a": "${'x'.repeat(70_000)}", "${'n'.repeat(70_000)}": 1, "b": 2}}`;
  expect(left(text)).toEqual({ payload: { b: 2 } });
});

it('shares one limit among all payloads', () => {
  const payload = `{"payload": {"a": [${'1,'.repeat(20_000)}1], "b": 2}}`;
  const [first, second, third] = left(`[${payload}, ${payload}, {"payload": []}]`) as {
    payload: { a: number[]; b: number };
  }[];
  expect(first?.payload).toEqual((JSON.parse(payload) as { payload: object }).payload);
  expect(second?.payload.b).toBe(2);
  expect(second?.payload.a.length).toBeLessThan(10_000);
  expect(third?.payload).toEqual([]);
});

it('keeps the first of very many members', () => {
  const members = Array.from({ length: 20_000 }, (_, index) => `"k${index}":${index}`);
  const { payload } = left(`{"payload":{${members.join(',')}}}`) as { payload: object };
  expect(Object.keys(payload).slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => `k${index}`));
  expect(JSON.stringify(payload).length).toBeLessThan(66_000);
});
