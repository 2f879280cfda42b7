// A backslash separates folders on Windows. Elsewhere a shell would take it away.
const PLAIN = process.platform === 'win32' ? /^[\w%+,./:=@\\-]+$/ : /^[\w%+,./:=@-]+$/;

/** A word of a command to paste into a shell, in quotes where it needs them. A path may have spaces, and an email address commands of its own. */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : quoted(text));

const quoted = (text: string): string =>
  process.platform === 'win32' ? windowsWord(text) : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A word for both shells of Windows, in quotes. cmd knows only double ones, in which PowerShell reads variables, escapes and other quotes. */
const windowsWord = (text: string): string =>
  /["$`\u201C-\u201E]/.test(text)
    ? `'${text.replaceAll(/['\u2018-\u201B]/g, '$&$&')}'`
    : `"${text.replace(/\\+$/, '$&$&')}"`;

/** The last argument of a command, for a shell: `--` keeps one that begins with a dash from being read as a flag. */
export const shellArgument = (text: string): string =>
  text.startsWith('-') ? `-- ${shellWord(text)}` : shellWord(text);
