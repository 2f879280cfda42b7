import { type EventSummary, oneLine } from './summary.ts';

/** A line about an event that has no text of its own, such as `octocat: pull request opened: Update the README`. */
export function sentence(
  noun: string,
  { actor, action, subject }: Pick<EventSummary, 'actor' | 'action' | 'subject'>,
): string | null {
  const what = [noun, action ?? ''].join(' ').replaceAll('_', ' ').trim();
  return oneLine([actor?.name, what, subject?.name].filter(Boolean).join(': ')) || null;
}
