import { signal } from '@preact/signals';
import { recall, remember } from './browser-memory.ts';

/** A choice that this browser remembers under `key`. The first option is the default. */
export function preference<Choice extends string>(key: string, options: Readonly<Record<Choice, string>>) {
  const remembered = recall(key) as Choice;
  const [first] = Object.keys(options) as [Choice];
  const choice = signal(Object.hasOwn(options, remembered) ? remembered : first);
  // Called at once, too. A default that nobody chose is not kept: the next version may have another one.
  let known = choice.value;
  choice.subscribe((now) => {
    if (now !== known) remember(key, (known = now));
  });
  return choice;
}
