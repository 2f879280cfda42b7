import type { Style } from '../io.ts';
import type { AnyView } from '../spec/view.ts';

/** A terminal that something is shown on. */
export interface Screen {
  readonly style: Style;
  /** In columns. */
  readonly width: number;
  /** Whether it shows more than ASCII. */
  readonly unicode: boolean;
  /** Rows under headers, as lists are shown. */
  table(items: readonly unknown[], view: AnyView): string;
}
