import type { IconName } from '../../components/icons/icon.tsx';

/** An entry of the palette: a page to open, or an action to run. */
export interface PaletteCommand {
  readonly label: string;
  /** The kind, at the end of its row. */
  readonly kind: string;
  readonly icon: IconName;
  /** A page below `/w/{slug}/`, with its query; a whole path, if it begins with a slash; or the action. */
  readonly to: string | (() => void);
  /** Other words by which it is found. */
  readonly words?: string;
}
