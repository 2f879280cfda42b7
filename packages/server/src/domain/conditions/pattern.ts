import { RE2JS, RE2JSException } from 're2js';

// RE2 reads a text once, whatever the pattern. What is left to bound is the size of its program, which `(a{30}){30}` multiplies,
// and the length of the text: 2,048 characters take the slowest program of this size some milliseconds.
const PROGRAM_MAX = 300;
/** A pattern looks at so many characters of a text. */
export const PATTERN_TEXT_MAX = 2_048;

/** A pattern that is ready to be used, or the reason why it cannot be. */
export type Compiled =
  | { readonly ok: true; test(text: string): boolean }
  | { readonly ok: false; issue: string };

/** Compiles a pattern of RE2: `(?i)` ignores case, and there are no back-references or look-arounds. */
export function compilePattern(source: string): Compiled {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, '');
    return { ok: false, issue: `is no pattern of RE2: ${reason}` };
  }
  if (pattern.programSize() > PROGRAM_MAX)
    return { ok: false, issue: 'is too large a pattern; use smaller repetitions' };
  return { ok: true, test: (text) => pattern.test(text) };
}
