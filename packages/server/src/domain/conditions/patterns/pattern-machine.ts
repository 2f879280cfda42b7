import type { WorkBudget } from '../work-budget.ts';

// The engines of re2js cannot be interrupted, and took up to half a second for 2,048 characters. So re2js only compiles a pattern, and its
// program runs here, in a loop that counts its steps.

/** A compiled pattern: https://swtch.com/~rsc/regexp/regexp2.html. */
export interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

interface Instruction {
  readonly op: number;
  /** The next instruction; 0 is the one that fails. */
  readonly out: number;
  /** The second branch of a fork, or the assertions of `ASSERT`. */
  readonly arg: number;
  matchRune(character: number): boolean;
}

const FORK = 1;
const FORK_AND_MATCH = 2;
const CAPTURE = 3;
const ASSERT = 4;
const FAIL = 5;
const MATCH = 6;
const NOTHING = 7;
const ANY = 10;
const ANY_BUT_NEWLINE = 11;
const KNOWN_MAX = 11;

const BEGIN_LINE = 1;
const END_LINE = 2;
const BEGIN_TEXT = 4;
const END_TEXT = 8;
const WORD_BOUNDARY = 16;
const NO_WORD_BOUNDARY = 32;
const NEWLINE = 10;

/**
 * Makes a function that searches a text for a match of a program. Its threads run side by side, so that a character costs at most as
 * many steps as the program has instructions; every step is charged to the budget.
 */
export function finder({ inst, start }: Program): (text: string, budget: WorkBudget) => boolean {
  const unknown = inst.find(({ op }) => op > KNOWN_MAX);
  if (unknown) throw new Error(`re2js has compiled an instruction of the unknown kind ${unknown.op}.`);
  // The position at which each instruction was reached last, and those that wait for the next character.
  const reached = new Int32Array(inst.length);
  const stack = new Int32Array(inst.length + 1);
  let threads = new Int32Array(inst.length);
  let next = new Int32Array(inst.length);
  let count = 0;
  let steps = 0;

  /** Adds the threads that begin at an instruction; `true` if there is a match without another character. */
  function follow(from: number, mark: number, asserted: number): boolean {
    let depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
      const at = stack[--depth] as number;
      if (at === 0 || reached[at] === mark) continue;
      reached[at] = mark;
      steps += 1;
      const { op, out, arg } = inst[at] as Instruction;
      if (op === MATCH) return true;
      if (op === FAIL) continue;
      if (op === FORK || op === FORK_AND_MATCH) {
        stack[depth++] = arg;
        stack[depth++] = out;
      } else if (op === CAPTURE || op === NOTHING) stack[depth++] = out;
      else if (op === ASSERT) {
        if ((arg & ~asserted) === 0) stack[depth++] = out;
      } else next[count++] = at;
    }
    return false;
  }

  return (text, budget) => {
    reached.fill(0);
    let waiting = 0;
    let before = -1;
    let mark = 0;
    for (let position = 0; position <= text.length;) {
      const character = position < text.length ? (text.codePointAt(position) as number) : -1;
      const asserted = assertedBetween(before, character);
      mark += 1;
      count = 0;
      steps = 1;
      // The character before this position advances the threads that waited for it.
      for (let index = 0; index < waiting; index += 1) {
        const at = threads[index] as number;
        steps += 1;
        if (takes(inst[at] as Instruction, before) && follow((inst[at] as Instruction).out, mark, asserted)) {
          budget.use(steps);
          return true;
        }
      }
      const found = follow(start, mark, asserted);
      budget.use(steps);
      if (found) return true;
      [threads, next] = [next, threads];
      waiting = count;
      before = character;
      position += character > 0xffff ? 2 : 1;
    }
    return false;
  };
}

function takes(instruction: Instruction, character: number): boolean {
  if (instruction.op === ANY) return true;
  if (instruction.op === ANY_BUT_NEWLINE) return character !== NEWLINE;
  return instruction.matchRune(character);
}

/** The assertions that hold between two characters; -1 means none. */
function assertedBetween(before: number, after: number): number {
  return (
    (before === -1 ? BEGIN_TEXT | BEGIN_LINE : before === NEWLINE ? BEGIN_LINE : 0) |
    (after === -1 ? END_TEXT | END_LINE : after === NEWLINE ? END_LINE : 0) |
    (isWord(before) === isWord(after) ? NO_WORD_BOUNDARY : WORD_BOUNDARY)
  );
}

/** An ASCII letter, digit or underscore. */
const isWord = (character: number): boolean =>
  (character >= 97 && character <= 122) ||
  (character >= 65 && character <= 90) ||
  (character >= 48 && character <= 57) ||
  character === 95;
