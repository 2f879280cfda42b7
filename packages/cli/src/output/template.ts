import { usageError } from '../errors.ts';
import type { AnyView } from '../spec/view.ts';
import { toText, valueAt } from './value.ts';

/** A template: an item in, a line of text out. */
export type Template = (item: unknown, safe: (text: string) => string) => string;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };

/**
 * Compiles `{{email}} is {{role}}\n`: fields by their dotted paths, with `{{json summary}}` as JSON, and the escapes `\n` and `\t`. A field that
 * there is not is found before anything is done.
 */
export function compileTemplate(text: string, { fields }: AnyView): Template {
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
