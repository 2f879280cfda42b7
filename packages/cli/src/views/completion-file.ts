import type { Style } from '../io.ts';
import { view } from '../spec/view.ts';

/** The completion of a shell in its place. */
export interface CompletionFile {
  readonly shell: string;
  readonly file: string;
  readonly installed: boolean;
  /** What is left for the user to do, once. */
  readonly next: string | null;
}

export const completionFileView = view<CompletionFile>()({
  noun: ['file', 'files'],
  fields: ['shell', 'file', 'installed', 'next'],
  columns: ['shell', 'installed', 'file'],
  id: 'file',
});

/** One line for people, and the one that is left to do. */
export function completionLine({ shell, file, installed, next }: CompletionFile, style: Style): string {
  if (next !== null)
    return `${style.yellow('!')} Wrote the completion for ${shell}: ${file}\n  One step is left. ${next}`;
  return `${style.green('✓')} ${installed ? 'Installed' : 'Removed'} the completion for ${shell}: ${file}`;
}
