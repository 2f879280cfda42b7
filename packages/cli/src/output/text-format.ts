import type { Globals } from '../spec/global-flags.ts';
import type { AnyView } from '../spec/view.ts';
import { compileJq, type JqProgram } from './jq.ts';
import { compileTemplate, type Template } from './template.ts';

/** What `--jq` and `--template` ask for, compiled and checked. */
export interface TextFormat {
  readonly jq: JqProgram | undefined;
  /** jq gets one item after the other, not all of them as one list. */
  readonly perItem: boolean;
  readonly template: Template | undefined;
}

/** Compiles `--jq` and `--template`, before the command does anything. */
export async function compileTextFormat(globals: Globals, view: AnyView): Promise<TextFormat> {
  const { jq, template, ndjson, output } = globals;
  return {
    jq: jq === undefined ? undefined : await compileJq(jq, '--jq'),
    perItem: ndjson || output === 'ndjson',
    template: template === undefined ? undefined : compileTemplate(template, view),
  };
}
