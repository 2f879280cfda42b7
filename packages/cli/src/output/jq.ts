import { usageError } from '../errors.ts';

/** A jq program: JSON in, lines of text out. Strings are printed bare, everything else as compact JSON. */
export type JqProgram = (json: string) => string;

/**
 * Loads jq and checks the program, so that a typing error is found before anything is done. jq itself, compiled to WebAssembly: its
 * language is too large to be imitated.
 */
export async function compileJq(program: string, flag: string): Promise<JqProgram> {
  const { default: loading } = await import('jq-web');
  const jq = await loading;
  const run = (json: string, text: string): string => {
    // Emscripten leaves the exit code of its own program behind.
    const { exitCode } = process;
    try {
      return jq.raw(json, text, ['-r', '-c']);
    } catch (error) {
      throw usageError(`${flag}: ${reasonOf(error)}`, 'The manual of jq: https://jqlang.org/manual/');
    } finally {
      process.exitCode = exitCode;
    }
  };
  // The line break ends a comment that may end the program.
  run('null', `empty | (${program}\n)`);
  return (json) => {
    const text = run(json, program);
    return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  };
}

/** What jq said, on one line and without the words around it. */
function reasonOf(error: unknown): string {
  const lines = (error as Error).message.split('\n');
  const told = lines.find((line) => line.startsWith('jq: error')) ?? lines.at(-1) ?? '';
  return told.replace(/^jq: error(?: \(at [^)]*\))?: /, '').replace(/ at <top-level>, line \d+:$/, '');
}
