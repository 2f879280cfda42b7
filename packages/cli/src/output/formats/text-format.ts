import { usageError } from '../../errors/errors.ts';
import type { Context } from '../../context.ts';
import type { AnyView } from '../../spec/view.ts';
import { toText, valueAt } from '../fields.ts';

/** A jq program: JSON in, lines of text out. Strings are printed bare, everything else as compact JSON. */
export type JqProgram = (json: string) => string;

/**
 * Loads jq and checks the program, so that a typing error is found before anything is done. It is jq itself, compiled to WebAssembly,
 * because its language is too large to imitate.
 */
export async function compileJq(program: string, flag: string): Promise<JqProgram> {
  const { default: loading } = await import('jq-web');
  const jq = await loading;
  const run = (json: string, text: string): string => {
    // Emscripten sets the exit code of its own program.
    const { exitCode } = process;
    try {
      return jq.raw(json, text, ['-r', '-c']) ?? '';
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

/** The message of jq, on one line and without the words around it. */
function reasonOf(error: unknown): string {
  const lines = (error as Error).message.split('\n');
  const reason = lines.find((line) => line.startsWith('jq: error')) ?? lines.at(-1) ?? '';
  return reason.replace(/^jq: error(?: \(at [^)]*\))?: /, '').replace(/ at <top-level>, line \d+:$/, '');
}

/** A template: an item in, a line of text out. */
type Template = (item: unknown, safe: (text: string) => string) => string;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };

/**
 * Compiles `{{email}} is {{role}}\n`: fields by their dotted paths, with `{{json summary}}` as JSON, and the escapes `\n` and `\t`. An
 * unknown field is found before anything is done.
 */
function compileTemplate(text: string, { fields }: AnyView): Template {
  const parts = text.split(/(\{\{[^{}]*\}\})/).map((part): Template => {
    const [, json, path] = /^\{\{\s*(json\s+)?([\w.]+)\s*\}\}$/.exec(part) ?? [];
    if (path === undefined) {
      if (part.startsWith('{{')) {
        throw usageError(
          `--template: ${part} is not a field.`,
          'Write {{field}}, {{field.inner}} or {{json field}}.',
        );
      }
      const literal = part.replace(/\\([nt\\])/g, (_, letter: string) => ESCAPES[letter] ?? '');
      return () => literal;
    }
    const [head = ''] = path.split('.');
    if (fields.length > 0 && !fields.includes(head)) {
      throw usageError(`--template: there is no field "${head}".`, `The fields are: ${fields.join(', ')}.`);
    }
    if (json !== undefined) return (item, safe) => safe(JSON.stringify(valueAt(item, path) ?? null));
    return (item, safe) => safe(toText(valueAt(item, path)));
  });
  return (item, safe) => {
    const line = parts.map((part) => part(item, safe)).join('');
    return line.endsWith('\n') ? line : `${line}\n`;
  };
}

/** Runs a program on an item with empty fields. A failure is ignored, because a real item has more in it. */
function rehearse(program: JqProgram, { fields }: AnyView): void {
  try {
    program(JSON.stringify(Object.fromEntries(fields.map((field) => [field, '']))));
  } catch {
    // A wrong program has been refused already.
  }
}

/** The programs of `--jq` and `--template`, compiled and checked. */
export interface TextFormat {
  readonly jq: JqProgram | undefined;
  /** True if jq gets one item after the other, not all of them as one list. */
  readonly perItem: boolean;
  readonly template: Template | undefined;
}

/** Compiles `--jq` and `--template`, before the command does anything. */
export async function compileTextFormat(
  { globals, blocking }: Pick<Context, 'globals' | 'blocking'>,
  view: AnyView,
): Promise<TextFormat> {
  const { jq, template, ndjson, output } = globals;
  const program = jq === undefined ? undefined : await compileJq(jq, '--jq');
  // An endless program hangs here, before there is a secret that it could swallow.
  if (program && view.oneTimeSecrets) blocking(() => rehearse(program, view));
  return {
    jq: program && ((json) => blocking(() => program(json))),
    perItem: ndjson || output === 'ndjson',
    template: template === undefined ? undefined : compileTemplate(template, view),
  };
}
