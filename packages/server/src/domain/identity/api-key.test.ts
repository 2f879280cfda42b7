import { expect, it } from 'vitest';
import { API_KEY_RANDOM_BYTES, apiKeyPrefix, formatApiKey, isApiKey } from './api-key.ts';

const fill = (byte: number) => Array<number>(30).fill(byte);
const body = (random: readonly number[]) => formatApiKey(Uint8Array.from(random)).slice(0, 33);

it.each([
  ['the first character', fill(0), `hl_${'0'.repeat(30)}`],
  ['the last character', fill(61), `hl_${'z'.repeat(30)}`],
  ['the first character again', fill(62), `hl_${'0'.repeat(30)}`],
  ['the largest byte that is used', fill(247), `hl_${'z'.repeat(30)}`],
  [
    'every byte beyond it, which is skipped',
    [248, 249, 250, 251, 252, 253, 254, 255, ...fill(1)],
    `hl_${'1'.repeat(30)}`,
  ],
  ['more bytes than are needed', [...fill(10), 1, 2, 3], `hl_${'A'.repeat(30)}`],
])('a key of %s', (_, random, expected) => {
  expect(body(random)).toBe(expected);
});

it('a key is not made from too few bytes', () => {
  expect(() => formatApiKey(Uint8Array.from(fill(255)))).toThrow(
    `needs ${API_KEY_RANDOM_BYTES} random bytes`,
  );
  expect(() => formatApiKey(Uint8Array.from(fill(0).slice(1)))).toThrow('random bytes');
});

const KEY = 'hl_0000000000000000000000000000003RPjbt';

it.each([
  ['is whole', KEY, true],
  ['has another character', KEY.replace('0', '1'), false],
  ['has another check', `${KEY.slice(0, -1)}${KEY.endsWith('0') ? '1' : '0'}`, false],
  ['has two characters swapped', `hl_10${'0'.repeat(28)}${KEY.slice(33)}`, false],
  ['has another prefix', KEY.replace('hl_', 'hm_'), false],
  // With the right check, but not the shape of a key.
  ['has another prefix and its check', 'hm_0000000000000000000000000000001MDUlH', false],
  ['is too short and has its check', 'hl_000000000000000000000000000004R80e3', false],
  ['has another character and its check', 'hl_00000000000000000000000000000-3yJREO', false],
  ['is the check of nothing', '000000', false],
  ['has something before it', ` ${KEY}`, false],
  ['has something after it', `${KEY}\n`, false],
  ['is too short', KEY.slice(0, -1), false],
  ['is nothing', '', false],
])('a key that %s: %j', (_, key, isKey) => {
  expect(isApiKey(key)).toBe(isKey);
});

it('shows its prefix and six characters', () => {
  expect(apiKeyPrefix('hl_ABCDEFGHIJ')).toBe('hl_ABCDEF');
});
