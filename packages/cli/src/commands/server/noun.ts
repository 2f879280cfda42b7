import { command as checkConfig } from './check-config.ts';
import { jobs, retryJob } from './jobs.ts';
import { bootstrap, setPassword, setupLink } from './owner.ts';
import { copyToPostgres } from './storage/copy-to-postgres.ts';
import { rotateKey } from './storage/rotate-key.ts';
import { command as start } from './start/start.ts';
import { command as status } from './status.ts';
import { command as stop } from './stop.ts';
import { backup, migrate, restore } from './storage/storage.ts';

export const commands = [
  start,
  stop,
  status,
  checkConfig,
  bootstrap,
  setupLink,
  setPassword,
  migrate,
  backup,
  restore,
  copyToPostgres,
  jobs,
  retryJob,
  rotateKey,
] as const;
