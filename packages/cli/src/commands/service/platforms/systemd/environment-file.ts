const QUOTED = String.raw`'[^']*(?:'|$)|"(?:\\[^]|[^"\\])*(?:"|$)`;
const PLAIN = String.raw`(?:\\[^]|[^\s'"\\])(?:\\[^]|[^\n\\])*`;
const BLANK = String.raw`[^\S\n]*`;
const ASSIGNMENT = new RegExp(
  String.raw`(?<=^|\n)${BLANK}([A-Za-z_]\w*)${BLANK}=((?:${BLANK}(?:${QUOTED}))*${BLANK}(?:${PLAIN})?)`,
  'g',
);
/** The length at which an ignored line is cut: a file of another kind may have very long lines. */
const LINE_MAX = 60;
const PART = new RegExp(`${QUOTED}|${PLAIN}`, 'g');

/** The variables that systemd reads from an `EnvironmentFile=`, in its way: no `export`, no `$`, values in several quotes and over several lines. */
export function readEnvironmentFile(text: string): Record<string, string> {
  const rows = Array.from(text.matchAll(ASSIGNMENT), ([, name = '', value = '']) => [
    name,
    Array.from(value.matchAll(PART), ([part]) => unquoted(part)).join(''),
  ]);
  return Object.fromEntries(rows) as Record<string, string>;
}

/** The lines that systemd ignores, up to their `=`: the rest may be a secret. */
export const ignoredLines = (text: string): string[] =>
  text
    .replaceAll(ASSIGNMENT, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line))
    .map((line) => line.replace(/=.*/s, '=…'))
    .map((line) => (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line));

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.replaceAll("'", '');
  const [, quoted] = /^"((?:\\[^]|[^"\\])*)/.exec(part) ?? [];
  // Within quotes, a backslash stays before most characters.
  return quoted === undefined
    ? part.trimEnd().replaceAll(/\\(?:\n|([^]))/g, '$1')
    : quoted.replaceAll(/\\(?:\n|(["\\`$]))/g, '$1');
}
