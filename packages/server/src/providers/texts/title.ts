const TITLE_MAX = 120;

/** The first line of a notification, as the title of an issue. */
export function titleOf(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const characters = [...line.trim()];
  return characters.length <= TITLE_MAX
    ? characters.join('')
    : `${characters.slice(0, TITLE_MAX - 1).join('')}…`;
}
