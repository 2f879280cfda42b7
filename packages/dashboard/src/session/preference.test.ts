import { beforeEach, expect, it } from 'vitest';
import { preference } from './preference.ts';

const KEY = 'hubline.test';
const OPTIONS = { auto: 'System', dark: 'Dark' };

const kept = () => localStorage.getItem(KEY);

beforeEach(() => localStorage.clear());

it('keeps a choice, but no default that nobody chose: the next version may have another', () => {
  const choice = preference<keyof typeof OPTIONS>(KEY, OPTIONS);
  expect([choice.value, kept()]).toEqual(['auto', null]);
  choice.value = 'dark';
  expect([preference(KEY, OPTIONS).value, kept()]).toEqual(['dark', 'dark']);
  choice.value = 'auto';
  expect(kept()).toBe('auto');
});

it('leaves what it does not know, such as the choice of a newer version', () => {
  localStorage.setItem(KEY, 'sepia');
  expect([preference(KEY, OPTIONS).value, kept()]).toEqual(['auto', 'sepia']);
});
