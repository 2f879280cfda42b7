import { usageError } from '../../errors/errors.ts';
import type { FORMATS, Globals } from '../../spec/global-flags.ts';

/** `human` is a table on a terminal and tab-separated text in a pipe; the others are the same everywhere. */
export type Format = (typeof FORMATS)[number] | 'human' | 'jq' | 'template';

/** The one format that the flags ask for. */
export function chooseFormat({ json, jq, template, ndjson, output, quiet }: Globals): Format {
  const asked = new Set<Format>();
  const perLine = ndjson || output === 'ndjson';
  // `--json=fields --ndjson` means these fields, one document per line. A jq program works on either.
  if (json !== undefined && !perLine && jq === undefined) asked.add('json');
  if (perLine && jq === undefined) asked.add('ndjson');
  if (jq !== undefined) asked.add('jq');
  if (template !== undefined) asked.add('template');
  if (output !== undefined && output !== 'ndjson' && !(output === 'json' && jq !== undefined))
    asked.add(output);
  if (asked.size > 1) {
    throw usageError(
      `One format at a time, not ${[...asked].join(' and ')}.`,
      'Use --json, --ndjson, --template or --output.',
    );
  }
  const [format] = asked;
  return format ?? (quiet ? 'id' : 'human');
}

/** Reports whether a program reads the output. */
export function isMachineFormat(format: Format): boolean {
  return format !== 'human' && format !== 'table';
}

/** The formats by file extension. */
const ENDINGS: Readonly<Record<string, Format>> = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  yaml: 'yaml',
  yml: 'yaml',
};

/** The format of an export: from its own `--format` or the global flags, else from its file name, else its usual one. */
export function exportFormat(
  globals: Globals,
  flags: Readonly<Record<string, unknown>>,
  usual: Format,
): Format {
  const { format, out = '' } = flags as { readonly format?: Format; readonly out?: string };
  const chosen = chooseFormat(globals);
  const global = chosen === 'human' ? undefined : chosen;
  if (format !== undefined && global !== undefined && format !== global) {
    throw usageError(
      `One format at a time, not ${format} and ${global}.`,
      'Leave out --format, or the other flag.',
    );
  }
  const asked = format ?? global;
  const named = ENDINGS[/\.(\w+)$/.exec(out)?.[1]?.toLowerCase() ?? ''];
  // A jq program or a template can make any format.
  if (
    asked !== undefined &&
    named !== undefined &&
    asked !== named &&
    !['jq', 'template', 'id'].includes(asked)
  ) {
    throw usageError(
      `--out ${out} is named as ${named}, but the format is ${asked}.`,
      'Choose another name, or another format.',
    );
  }
  return asked ?? named ?? usual;
}
