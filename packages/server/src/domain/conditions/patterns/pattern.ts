import { RE2JS, RE2JSException } from 're2js';
import { finder, type Program } from './pattern-machine.ts';
import type { WorkBudget } from '../work-budget.ts';

// A character costs at most one step for each instruction, and `(a{30}){30}` multiplies instructions.
const PROGRAM_MAX = 300;
/** The most instructions that a pattern may have by the estimate, which is made before it is compiled. */
const SIZE_MAX = 2 * PROGRAM_MAX;
const SOURCE_MAX = 256;
// `(?i)\pL` takes 2 ms to compile: it folds a hundred thousand characters. So do ranges that reach beyond ASCII.
const CLASSES_MAX = 8;
const COSTLY_CLASS = /\\[pP]|-(?:\\x|[^\0-\x7f])/g;
/** The most characters of a text that a pattern looks at. */
const TEXT_MAX = 2_048;
const STEPS_PER_INSTRUCTION = 50;
const STEPS_PER_CLASS = 40_000;

type Find = (text: string, budget: WorkBudget) => boolean;

/** A compiled pattern, or the reason why it is refused. */
export type Compiled = { readonly ok: true; readonly test: Find } | { readonly ok: false; issue: string };

/**
 * Compiles a pattern of RE2 at the cost of a budget, which throws when too little is left: `(?i)` ignores case, and there are no
 * back-references or look-arounds.
 */
export function compilePattern(source: string, budget: WorkBudget): Compiled {
  if (source.length > SOURCE_MAX)
    return { ok: false, issue: `must be a pattern of at most ${SOURCE_MAX} characters` };
  const classes = costlyClasses(source);
  if (classes > CLASSES_MAX)
    return {
      ok: false,
      issue: `must name at most ${CLASSES_MAX} Unicode classes, such as \\pL; use . or \\w`,
    };
  // Compiling expands repetitions, so they are checked before.
  const estimate = sizeOf(source);
  if (estimate > SIZE_MAX) return tooLarge(estimate);
  budget.use(estimate * STEPS_PER_INSTRUCTION + classes * STEPS_PER_CLASS);
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, '');
    return {
      ok: false,
      issue: `must be a pattern of RE2, which has no look-around and no back-references: ${reason}`,
    };
  }
  const size = pattern.programSize();
  if (size > PROGRAM_MAX) return tooLarge(size);
  const finds = finder(pattern.re2().prog as Program);
  return { ok: true, test: (text, budget) => finds(text.slice(0, TEXT_MAX), budget) };
}

const tooLarge = (size: number): Compiled => ({
  ok: false,
  issue: `must be a pattern of at most ${PROGRAM_MAX} instructions, but has ${size}; use smaller repetitions`,
});

/** A stored pattern. It is compiled when it is first used; one that cannot be compiled finds nothing. */
export function storedPattern(source: string): Find {
  let compiled: Compiled | undefined;
  return (text, budget) => {
    compiled ??= compilePattern(source, budget);
    return compiled.ok && compiled.test(text, budget);
  };
}

const costlyClasses = (source: string): number => source.match(COSTLY_CLASS)?.length ?? 0;

const TOKEN = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d{1,4})(?:,(\d{0,4}))?\}|[^]/gu;

/** Estimates the number of instructions of a pattern, without compiling it. */
function sizeOf(source: string): number {
  const outer: number[] = [];
  let size = 0;
  let last = 0;
  for (const [token, least, most] of source.matchAll(TOKEN)) {
    if (token === '(') {
      outer.push(size);
      size = 0;
    } else if (token === ')') {
      last = size + 2;
      size = (outer.pop() ?? 0) + last;
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most || 0));
      size += last * (times - 1);
      last *= times;
    } else {
      last = 1;
      size += 1;
    }
  }
  return outer.reduce((sum, part) => sum + part, size);
}
