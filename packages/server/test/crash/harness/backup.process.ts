/**
 * `hubline server backup FILE` in its own process.
 *
 *   node backup.process.ts <BackupInput as JSON>
 */
import { backup } from '../../../src/backups/backup.ts';
import { parseServerConfig } from '../../../src/config/config.ts';

/** The input of a backup. */
export interface BackupInput {
  data: string;
  file: string;
}

const { data, file } = JSON.parse(process.argv[2] ?? '') as BackupInput;
backup(parseServerConfig({ data }, {}), file);
process.disconnect();
