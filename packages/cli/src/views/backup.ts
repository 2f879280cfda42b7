import { view } from '../spec/view.ts';

/** The result of a backup. */
export interface BackedUp {
  readonly path: string;
  /** The size of the file. */
  readonly bytes: number;
  readonly taken_at: string;
}

export const backedUpView = view<BackedUp>()({
  noun: ['backup', 'backups'],
  fields: ['path', 'bytes', 'taken_at'],
  columns: [{ path: 'path', flexible: true }, 'bytes', 'taken_at'],
  id: 'path',
});

/** The result of a restore. */
export interface Restored {
  readonly path: string;
  /** The path at which the previous database was kept. */
  readonly replaced: string | null;
}

export const restoredView = view<Restored>()({
  noun: ['database', 'databases'],
  fields: ['path', 'replaced'],
  columns: ['path', 'replaced'],
  id: 'path',
});
