/**
 * Shortens what the compiler prints. One error about the contract's examples writes out several types of hundreds of characters each,
 * between which its cause is hard to find. An editor shows it in full.
 */
const HEAD = 160;
const TAIL = 80;
/** The lines of an error besides its first: the last ones say most exactly what does not fit. */
const DETAILS = 2;

/** `a.ts(1,2): error TS1: …`, or `page.md:12 …`. Anything else, such as a crash of the compiler, stays as it is. */
const IS_ERROR = /\): error TS\d+|^[^\s:]+:\d+ /;

/** The middle of a long line is a type written out. Its beginning has the file, the line and the message. */
const shortLine = (line: string): string =>
  line.length <= HEAD + TAIL ? line : `${line.slice(0, HEAD)} … ${line.slice(-TAIL)}`;

/** The errors, each with its first line, its last ones, and no long type. Lines that begin with a space belong to the error above. */
export function shortTypeErrors(output: string): string {
  const errors = output.split(/\n(?=\S)/);
  return errors
    .map((error) => {
      const [first = '', ...details] = error.trimEnd().split('\n');
      if (!IS_ERROR.test(first)) return error.trimEnd();
      const left = details.length - DETAILS;
      const shown = left > 0 ? [`  … ${left} more …`, ...details.slice(left)] : details;
      return [first, ...shown].map(shortLine).join('\n');
    })
    .join('\n');
}
