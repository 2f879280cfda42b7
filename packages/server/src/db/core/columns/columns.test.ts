import { describe, expect, it } from 'vitest';
import { createIds } from '../../../ids.ts';
import { codes, idBytes, idBytesFrom, idText, idTextOfHex, idTextOfHexOrNull } from './columns.ts';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');

describe('an ID', () => {
  it('becomes 16 bytes and the same ID again, from the smallest to the largest', () => {
    const made = createIds(() => new Date(NOW));
    const ids = [
      `evt_${'0'.repeat(26)}`,
      `evt_7${'z'.repeat(25)}`,
      'evt_01j9zk3v5q8r2t4w6y7a0b1c2d',
      ...Array.from({ length: 1_000 }, () => made('event')),
    ];
    for (const id of ids) {
      expect(idBytes(id)).toHaveLength(16);
      expect(idText('event', idBytes(id))).toBe(id);
    }
  });

  it('is the same from bytes and from their digits, in upper and lower case', () => {
    for (const last of ['0', '7', 'z']) {
      const id = `evt_0123456789abcdefghjkmnpqr${last}`;
      const digits = idBytes(id).toString('hex');
      expect([idTextOfHex('event', digits), idTextOfHex('event', digits.toUpperCase())]).toEqual([id, id]);
    }
    expect([idTextOfHexOrNull('event', null), idTextOfHexOrNull('event', '')]).toEqual([null, null]);
  });

  it('sorts as its bytes do', () => {
    let time = 0;
    const made = createIds(() => new Date((time += 997_331_000)));
    const ids = Array.from({ length: 1_000 }, () => made('event'));
    expect(ids.map(idBytes).toSorted(Buffer.compare)).toEqual(ids.map(idBytes));
  });

  it('lies between the bytes of its time and those of the next millisecond', () => {
    const bytes = idBytes(createIds(() => new Date(NOW))('delivery'));
    expect(Buffer.compare(bytes, idBytesFrom(NOW))).toBeGreaterThan(0);
    expect(Buffer.compare(bytes, idBytesFrom(NOW + 1))).toBeLessThan(0);
  });

  it.each([
    '',
    '_',
    'none',
    'evt_',
    'evt_81j9zk3v5q8r2t4w6y7a0b1c2d',
    'evt_01j9zk3v5q8r2t4w6y7a0b1c2l',
    `evt_${'é'.repeat(26)}`,
  ])('is not %j', (text) => expect(() => idBytes(text)).toThrow(/is not an ID/));
});

it('an unknown number is an error, not another name', () => {
  const some = codes({ first: 0, second: 3 });
  expect([some.of.second, some.name(3), some.name(0)]).toEqual([3, 'second', 'first']);
  expect(() => some.name(1)).toThrow(/newer version/);
});
