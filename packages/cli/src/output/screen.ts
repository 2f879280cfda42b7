import type { AnyView } from '../spec/view.ts';
import type { Style } from '../terminal/io.ts';

/** The terminal on which a result is shown. */
export interface Screen {
  readonly style: Style;
  /** In columns. */
  readonly width: number;
  /** True if it shows more than ASCII. */
  readonly unicode: boolean;
  /** Rows under headers, as lists are shown. */
  table(items: readonly unknown[], view: AnyView): string;
}

/** Reports whether the terminal shows more than ASCII, by its locale. A Windows console always does, because Node writes to it as Unicode. */
export function showsUnicode(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return process.platform === 'win32' || /utf-?8/i.test(locale);
}

const HEIGHTS = '▁▂▃▄▅▆▇█';

/** Numbers as bars side by side: zero has the lowest, anything more a higher one, and the largest number the highest. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value) => HEIGHTS[Math.ceil((value / most) * (HEIGHTS.length - 1))] ?? '').join('');
}
