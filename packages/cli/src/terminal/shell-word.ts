// A backslash separates folders on Windows. Elsewhere a shell would take it away.
const PLAIN = process.platform === 'win32' ? /^[\w%+,./:=@\\-]+$/ : /^[\w%+,./:=@-]+$/;

/** A word for a shell, in quotes where it needs them. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : quoted(text));

const quoted = (text: string): string =>
  process.platform === 'win32' ? windowsWord(text) : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A word for both shells of Windows, in quotes. cmd knows only double ones, in which PowerShell reads variables, escapes and other quotes. */
export const windowsWord = (text: string): string =>
  /["$`\u201C-\u201E]/.test(text) ? powershellWord(text) : `"${text.replace(/\\+$/, '$&$&')}"`;

/** The last argument of a command, for a shell: `--` keeps one that begins with a dash from being read as a flag. */
export const shellArgument = (text: string): string =>
  text.startsWith('-') ? `-- ${shellWord(text)}` : shellWord(text);

/** The characters that PowerShell reads as single quotes, as a pattern. Typographic ones end a string, too; doubled they stand for themselves. */
export const POWERSHELL_QUOTE = String.raw`['\u2018-\u201B]`;

/** A word for PowerShell, always in quotes. */
export const powershellWord = (text: string): string =>
  `'${text.replaceAll(new RegExp(POWERSHELL_QUOTE, 'g'), '$&$&')}'`;
