import type { Command } from '../../spec/command.ts';
import type { AnyView } from '../../spec/view.ts';
import type { Style } from '../../terminal/io.ts';
import {
  breakLines,
  visible,
  visibleDeep,
  visibleDocument,
  visibleLines,
  wrap,
} from '../../terminal/text.ts';
import { anyColumns, rowsOf } from './any-rows.ts';
import { columnsOf, type ResolvedColumn } from './columns.ts';
import { selectFields, toText, valueAt } from '../fields.ts';
import type { Format } from './format.ts';
import { RawBytes, RawText } from '../items.ts';
import { secretsIn } from '../one-time-secrets.ts';
import { csvHeader, csvRow, formatPairs, formatRecord, tsvRow } from './records.ts';
import type { Screen } from '../screen.ts';
import type { TextFormat } from './text-format.ts';

/** Turns the items of a result into text. */
export interface Writer {
  /** The text for one more item; may be empty until the end. */
  item(item: unknown): string | Uint8Array;
  /** The rest of the text. Also called after a failure, to close a document that was started. */
  end(): string;
}

/** The options of a writer. */
export interface WriterOptions {
  readonly command: Command;
  /** One item, all items of a list, or items as they come. */
  readonly shape: 'one' | 'many' | 'live';
  /** The fields of `--json=`. */
  readonly selected: readonly string[] | undefined;
  readonly text: TextFormat;
  readonly tty: boolean;
  readonly width: number;
  readonly style: Style;
  readonly now: () => number;
  /** True if the terminal shows more than ASCII. */
  readonly unicode: boolean;
  /** Rewrites the commands in a text as they must be typed here. */
  asTyped(text: string): string;
}

/** The writer of a format. Text that is a document already is printed as it is. */
export async function createWriter(format: Format, options: WriterOptions): Promise<Writer> {
  const writer = await formats[format](options);
  let raw = false;
  return {
    item: (item) => {
      if (item instanceof RawBytes) {
        raw = true;
        return item.bytes;
      }
      if (!(item instanceof RawText)) return writer.item(item);
      raw = true;
      const text = format === 'jq' ? (options.text.jq?.(item.text) ?? '') : item.text;
      return options.tty ? visibleDocument(text) : text;
    },
    end: () => (raw ? '' : writer.end()),
  };
}

const each = (item: Writer['item']): Writer => ({ item, end: () => '' });

const perLine = ({ selected, tty }: WriterOptions): Writer =>
  each((item) => {
    const text = JSON.stringify(selectFields(item, selected) ?? null);
    return `${tty ? visibleLines(text) : text}\n`;
  });

/** A writer for items of any shape: it knows their columns only at the end. */
function collected(print: (rows: readonly object[], columns: readonly ResolvedColumn[]) => string): Writer {
  const rows: object[] = [];
  return {
    item: (item) => {
      rows.push(...rowsOf(item));
      return '';
    },
    end: () => (rows.length === 0 ? '' : print(rows, anyColumns(rows))),
  };
}

/** True if the items can have any fields, as in `hubline api`. */
const hasAnyShape = ({ command }: WriterOptions): boolean => command.view.columns.length === 0;

const table = async (options: WriterOptions): Promise<Writer> => {
  const { command, shape, width, style, now } = options;
  if (hasAnyShape(options)) return anyTable(options);
  if (shape === 'one') {
    return each((item) => formatRecord(item, { fields: fieldsOf(item, options), now: now(), style }));
  }
  // Measuring text needs tables of character widths, which only this format pays for.
  const { formatTable, growingTable } = await import('./table.ts');
  const tableOptions = { columns: columnsOf(command.view), width, style, now };
  if (shape === 'live') return each(growingTable(tableOptions));
  const items: unknown[] = [];
  return {
    item: (item) => {
      items.push(item);
      return '';
    },
    end: () => (items.length > 0 ? formatTable(items, tableOptions) : ''),
  };
};

/** One object as a record, and everything else as rows. */
async function anyTable({ shape, width, style, now }: WriterOptions): Promise<Writer> {
  const { formatTable } = await import('./table.ts');
  const rows = collected((items, columns) => formatTable(items, { columns, width, style, now }));
  return {
    ...rows,
    item: (item) =>
      shape === 'one' && typeof item === 'object' && item !== null && !Array.isArray(item)
        ? formatRecord(item, { fields: Object.keys(item), now: now(), style })
        : rows.item(item),
  };
}

const shown = async ({ command, width, style, now, unicode }: WriterOptions): Promise<Writer> => {
  const { formatTable } = await import('./table.ts');
  const screen: Screen = {
    style,
    width,
    unicode,
    table: (items, view) => formatTable(items, { columns: columnsOf(view), width, style, now }),
  };
  return each((item) => breakLines(command.show?.(visibleDeep(item), screen) ?? '', width));
};

const tsv = (options: WriterOptions): Writer => {
  const { command, tty } = options;
  if (hasAnyShape(options))
    return collected((rows, any) => rows.map((row) => tsvRow(row, any, { tty })).join(''));
  const columns = columnsOf(command.view);
  return each((item) => tsvRow(item, columns, { tty }));
};

/** YAML prints numbers its own way; integers keep all their digits. */
function plainNumber(_key: unknown, value: unknown): unknown {
  if (!JSON.isRawJSON(value)) return value;
  const text = JSON.stringify(value);
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
}

const formats = {
  human: (options): Writer | Promise<Writer> => {
    const { command, shape, tty, style, asTyped } = options;
    const { say, show, document } = command;
    const width = tty ? options.width : Infinity;
    if (say) {
      return each((item) => {
        const message = say.call(command, visibleDeep(item), style, { width, asTyped });
        return `${breakLines(message, width)}\n${revealed(item, options)}`;
      });
    }
    if (show && tty) return shown(options);
    if (document) return formats.json(options);
    if (shape !== 'one') return tty ? table(options) : tsv(options);
    return tty
      ? table(options)
      : each((item) =>
          formatPairs(item, { fields: fieldsOf(item, options), spread: command.view.spread ?? [] }),
        );
  },
  table,
  tsv,
  csv: (options) => {
    const { command, tty } = options;
    if (hasAnyShape(options))
      return collected((rows, any) =>
        [csvHeader(any), ...rows.map((row) => csvRow(row, any, { tty }))].join(''),
      );
    const columns = columnsOf(command.view);
    let header = csvHeader(columns);
    return {
      item: (item) => {
        const text = header + csvRow(item, columns, { tty });
        header = '';
        return text;
      },
      end: () => header,
    };
  },
  json: (options) => {
    const { shape, tty, selected } = options;
    // A document that never ends cannot be parsed: live output has one document per line.
    if (shape === 'live') return perLine(options);
    const print = (item: unknown): string => {
      const text = JSON.stringify(selectFields(item, selected) ?? null, null, tty ? 2 : undefined);
      return tty ? visibleLines(text) : text;
    };
    if (shape === 'one') return each((item) => `${print(item)}\n`);
    let count = 0;
    return {
      item: (item) => `${(count += 1) === 1 ? '[' : ',\n'}${print(item)}`,
      end: () => (count === 0 ? '[]\n' : ']\n'),
    };
  },
  ndjson: perLine,
  yaml: async (options) => {
    const { shape, tty, selected } = options;
    // The package is CommonJS: bundled, its names are only on the default export.
    const { default: yaml } = await import('yaml');
    const print = (value: unknown): string => {
      const text = yaml.stringify(value, plainNumber, { lineWidth: 0 });
      return tty ? visibleLines(text) : text;
    };
    const select = (item: unknown): unknown => selectFields(item, selected) ?? null;
    if (shape === 'one') return each((item) => print(select(item)));
    if (shape === 'live') return each((item) => `---\n${print(select(item))}`);
    let empty = true;
    return {
      item: (item) => {
        empty = false;
        return print([select(item)]);
      },
      end: () => (empty ? '[]\n' : ''),
    };
  },
  jq: ({ shape, tty, selected, text: { jq, perItem } }) => {
    const print = (value: unknown): string => {
      const text = jq?.(JSON.stringify(value ?? null)) ?? '';
      return tty ? visibleLines(text) : text;
    };
    if (shape !== 'many' || perItem) return each((item) => print(selectFields(item, selected)));
    const items: unknown[] = [];
    return {
      item: (item) => {
        items.push(selectFields(item, selected) ?? null);
        return '';
      },
      end: () => print(items),
    };
  },
  template: ({ tty, text: { template } }) =>
    each((item) => template?.(item, tty ? visible : (text) => text) ?? ''),
  id: ({ command: { view }, tty }) =>
    each((item) => {
      const texts = idAndSecrets(item, view);
      // A person who is not invited yet has no ID.
      if (texts.every((text) => text === '')) return '';
      return `${texts.map((text) => (tty ? visible(text) : text)).join('\t')}\n`;
    }),
} satisfies Record<Format, (options: WriterOptions) => Writer | Promise<Writer>>;

/** The fields to show of one item: the known ones, or else all that it has. */
function fieldsOf(item: unknown, { command }: WriterOptions): readonly string[] {
  return command.view.fields.length > 0 ? command.view.fields : Object.keys(Object(item) as object);
}

/** The ID of an item. One of any shape may begin with it under another name, such as `event_id`. */
function idOf(item: unknown, { columns, id }: AnyView): unknown {
  const known = valueAt(item, id);
  if (known !== undefined || columns.length > 0) return known;
  const [[name, value] = ['', undefined]] = Object.entries(Object(item) as object);
  return name.endsWith('_id') ? value : undefined;
}

/** The output of `-q` for an item: its ID, followed by its one-time secrets. */
function idAndSecrets(item: unknown, view: AnyView): string[] {
  return [toText(idOf(item, view)), ...secretsIn(item, view).map(({ secret }) => secret)];
}

/** The lines below the one that says what was done, secrets first. */
function revealed(item: unknown, { command, style, tty, width }: WriterOptions): string {
  const { oneTimeSecrets = [], reveal = [] } = command.view;
  const present = [...oneTimeSecrets, ...reveal].filter((path) => toText(valueAt(item, path)) !== '');
  const labels = Math.max(0, ...present.map((path) => path.length));
  return present
    .map((path) => {
      const text = visible(toText(valueAt(item, path)));
      const lines = tty ? wrap(text, width - labels - 4) : [text];
      return `  ${style.dim(path.padEnd(labels))}  ${lines.join(`\n${' '.repeat(labels + 4)}`)}\n`;
    })
    .join('');
}
