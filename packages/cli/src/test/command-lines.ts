/** The command lines of `hubline` in an example, without redirections, comments and other programs. */
export function commandLines(example: string): string[][] {
  const words = [...example.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].reduce<
    { text: string; end: number }[]
  >((list, match) => {
    const text = match[1] ?? match[2] ?? match[3] ?? '';
    const last = list.at(-1);
    // Quotes inside a word belong to it: `--name="Acme Inc."`.
    if (last && last.end === match.index) last.text += text;
    else list.push({ text, end: 0 });
    const current = list.at(-1);
    if (current) current.end = match.index + match[0].length;
    return list;
  }, []);
  const lines: string[][] = [[]];
  let redirected = false;
  for (const { text } of words) {
    if (text === '#') break;
    if (['|', '||', '&&', ';', '&'].includes(text)) lines.push([]);
    else if (text === '<' || text === '>' || text === '>>') redirected = true;
    else if (redirected) redirected = false;
    else lines.at(-1)?.push(text);
  }
  return lines.filter(([name]) => name === 'hubline').map(([, ...line]) => line);
}
