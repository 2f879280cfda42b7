import { stripVTControlCharacters } from 'node:util';

/** Words in lines of at most `width`; a longer word has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length === 0 || longer.length > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Lines that are too wide, broken between words. What is indented is laid out already, and colours have no width. */
export function breakLines(text: string, width: number): string {
  if (width === Infinity) return text;
  const fits = (line: string): boolean => stripVTControlCharacters(line.trimEnd()).length <= width;
  const broken = text.split('\n').flatMap((line) => {
    if (fits(line) || line.startsWith(' ')) return line;
    return line.split(/(?<= )/).reduce<string[]>((lines, word) => {
      const longer = `${lines.at(-1) ?? ''}${word}`;
      return lines.length > 0 && fits(longer) ? [...lines.slice(0, -1), longer] : [...lines, word];
    }, []);
  });
  return broken.map((line) => line.trimEnd()).join('\n');
}
