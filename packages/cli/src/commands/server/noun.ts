import { command as backup } from './backup.ts';
import { command as bootstrap } from './bootstrap.ts';
import { command as checkConfig } from './check-config.ts';
import { command as jobs } from './jobs.ts';
import { command as migrate } from './migrate.ts';
import { command as restore } from './restore.ts';
import { command as retryJob } from './retry-job.ts';
import { command as setPassword } from './set-password.ts';
import { command as setupLink } from './setup-link.ts';
import { command as start } from './start.ts';
import { command as status } from './status.ts';
import { command as stop } from './stop.ts';

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
  jobs,
  retryJob,
] as const;
