import { signal } from '@preact/signals';
import { recall, remember } from './browser-memory.ts';

/** A choice that this browser remembers under `key`. The first option is the default. */
export function preference<Choice extends string>(key: string, options: Readonly<Record<Choice, string>>) {
  const remembered = recall(key) as Choice;
  const [first] = Object.keys(options) as [Choice];
  const choice = signal(Object.hasOwn(options, remembered) ? remembered : first);
  choice.subscribe((now) => remember(key, now));
  return choice;
}
