import type { IconName } from '../../components/icons/icon.tsx';

/** Something that the palette goes to, or does. */
export interface PaletteCommand {
  readonly label: string;
  /** The kind, at the end of its row. */
  readonly kind: string;
  readonly icon: IconName;
  /** A page below `/w/{slug}/`, with its query; with a slash, a path; or what is done. */
  readonly to: string | (() => void);
  /** Other words by which it is found. */
  readonly words?: string;
}
