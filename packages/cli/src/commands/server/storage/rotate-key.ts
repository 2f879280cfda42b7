import type { RotatedKey } from '@hubline/server';
import { define } from '../../../spec/command.ts';
import { view } from '../../../spec/view.ts';
import { STORAGE_FLAGS } from '../flags.ts';
import { requireDatabase } from './storage.ts';

export const rotateKey = define({
  path: 'server rotate-key',
  summary: 'Seal every stored secret with a new master key, while the server is stopped.',
  description:
    'If it is interrupted, run it again: it continues where it stopped, and a server can start in between. The old key is kept in ' +
    'master.key.retired, because older backups need it. With HUBLINE_MASTER_KEY, put the new key before the old one there, separated by a ' +
    'comma, and remove the old one afterward. On PostgreSQL, stop every server first.',
  flags: STORAGE_FLAGS,
  danger: 'confirm',
  question: () => 'Replace the master key?',
  examples: ['hubline server rotate-key --data ./hubline-data --yes'],
  view: view<RotatedKey>()({
    noun: ['rotation', 'rotations'],
    fields: ['resealed', 'unreadable', 'retired'],
    columns: ['resealed', 'unreadable', 'retired'],
    id: 'resealed',
  }),
  say({ resealed, unreadable, retired }, style) {
    const kept =
      retired === null
        ? 'Remove the old key from HUBLINE_MASTER_KEY now. A master.key in the data directory is no longer used.'
        : `The old key is in ${retired}. Delete it when no backup needs it any longer.`;
    const left =
      unreadable === 0
        ? ''
        : ` ${unreadable} could not be opened with the old key either, and stay as they are.`;
    return `${style.green('✓')} Sealed ${resealed} ${resealed === 1 ? 'secret' : 'secrets'} with the new master key.${left} ${kept}`;
  },
  async run(ctx, { flags: { data, databaseUrl } }) {
    const { parseServerConfig, rotateMasterKey } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    await requireDatabase(ctx, config, { data, mayCreate: false });
    return ctx.perform('seal every stored secret with a new master key', () => rotateMasterKey(config));
  },
});
