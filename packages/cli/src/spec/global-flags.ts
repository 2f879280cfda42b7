import { LIMITS } from '@hubline/contract/constants';
import type { FlagTable, FlagValues } from './flag.ts';

/** The formats of `--output`. */
export const FORMATS = ['table', 'tsv', 'csv', 'json', 'ndjson', 'yaml', 'id'] as const;

/** Flags of every command. */
export const GLOBAL_FLAGS = {
  workspace: {
    type: 'text',
    short: 'w',
    value: 'id|slug',
    summary: 'Workspace to act in (HUBLINE_WORKSPACE)',
  },
  context: { type: 'text', value: 'name', summary: 'Saved context to use (HUBLINE_CONTEXT)' },
  'base-url': { type: 'text', value: 'url', summary: 'API to talk to (HUBLINE_BASE_URL)' },
  json: {
    type: 'text',
    value: 'fields',
    summary: 'Print JSON: all fields, or those named; --json= lists them',
  },
  jq: { type: 'text', value: 'program', summary: 'Filter the JSON with this jq program' },
  template: {
    type: 'text',
    value: 'text',
    summary: 'Print each item with this template, such as "{{email}} {{role}}"',
  },
  ndjson: { type: 'boolean', summary: 'Print one JSON document per line' },
  output: { type: 'text', short: 'o', value: 'format', choices: FORMATS, summary: 'Print in this format' },
  quiet: {
    type: 'boolean',
    short: 'q',
    summary:
      'Print IDs only, with any one-time secret after a tab, and no notes except that a list has more than 20 items',
  },
  verbose: {
    type: 'boolean',
    short: 'v',
    summary: 'Show requests on stderr, secrets masked (HUBLINE_DEBUG)',
  },
  color: {
    type: 'text',
    value: 'when',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    summary: 'Use color (NO_COLOR, FORCE_COLOR)',
  },
  'no-input': { type: 'boolean', summary: 'Never ask: fail and name the flag instead (HUBLINE_NO_INPUT)' },
  yes: { type: 'boolean', short: 'y', summary: 'Answer yes to every question' },
  'dry-run': { type: 'boolean', summary: 'Show what would change, and change nothing' },
  timeout: {
    type: 'duration',
    value: 'duration',
    min: 1,
    summary: 'Give up on one request after this time (default 30s)',
  },
  retries: {
    type: 'integer',
    value: 'n',
    summary: 'Retry this many times on network errors, 429, 500 and 503 (default 2)',
  },
  'max-wait': {
    type: 'duration',
    value: 'duration',
    min: 1,
    summary: 'Wait at most this long when the server asks for a pause (default 60s)',
  },
  'idempotency-key': {
    type: 'text',
    value: 'key',
    rule: {
      pattern: new RegExp(`^[!-~]{1,${LIMITS.idempotencyKeyMax}}$`),
      words: `1 to ${LIMITS.idempotencyKeyMax} visible ASCII characters`,
    },
    summary: 'Idempotency key of this write (default: a new one)',
  },
  'no-pager': { type: 'boolean', summary: 'Do not use a pager for long output (HUBLINE_PAGER, PAGER)' },
  'request-id-file': {
    type: 'text',
    value: 'file',
    summary: 'Write the ID of the last request here, for a report',
  },
} as const satisfies FlagTable;

/** Flags of every list. */
export const LIST_FLAGS = {
  limit: {
    type: 'integer',
    short: 'L',
    value: 'n',
    min: 1,
    default: LIMITS.pageDefault,
    summary: 'Print at most this many',
  },
  all: { type: 'boolean', summary: 'Print all items' },
} as const satisfies FlagTable;

/** Flags of every export. */
export const EXPORT_FLAGS = {
  format: {
    type: 'text',
    value: 'format',
    choices: ['csv', 'json', 'ndjson'],
    summary: 'Format of the file (default: from the name of --out, otherwise csv)',
  },
  out: { type: 'text', value: 'file|-', summary: 'Write into this file instead of stdout (-)' },
  force: { type: 'boolean', summary: 'Replace the file if it exists' },
} as const satisfies FlagTable;

/** Flags of an export whose file can be applied again. Its documents do not fit into a table. */
export const DOCUMENT_EXPORT_FLAGS = {
  ...EXPORT_FLAGS,
  format: {
    ...EXPORT_FLAGS.format,
    choices: ['json', 'yaml', 'ndjson'],
    summary: 'Format of the file (default: from the name of --out, otherwise json)',
  },
} as const satisfies FlagTable;

/** A file of documents that people write. */
export const DOCUMENT_FILE = {
  type: 'text',
  short: 'f',
  value: 'file|-',
  summary: 'YAML or JSON; - for stdin',
} as const;

/** The parsed global flags. */
export type Globals = FlagValues<typeof GLOBAL_FLAGS>;
