import { z } from 'zod';
import { JOB_STATES } from '../../constants/jobs.ts';
import { timestamp } from '../../text.ts';
import { StatsQueue } from './stats.ts';

const HealthJobs = z
  .object({
    kind: z.string().describe('Kind of the jobs, such as `mail` or `recovery`.'),
    state: z.enum(JOB_STATES).meta({ id: 'JobState', description: 'State of a background job.' }),
    jobs: z.int().describe('Number of jobs.'),
  })
  .describe('Background jobs of a kind in a state.')
  .meta({ id: 'HealthJobs' });

const HealthBackup = z
  .object({
    path: z.string().describe('The file, or its URL in S3.'),
    bytes: z.int().describe('Size in bytes.'),
    taken_at: timestamp.describe('Time of the backup, which has everything stored before it.'),
    present: z
      .boolean()
      .describe('True if the file still exists. Always true for backups in S3, which are not checked.'),
  })
  .describe('A backup that this server or the command line has written.')
  .meta({ id: 'HealthBackup' });

const BackupSchedule = z
  .object({
    every_seconds: z.int().describe('Seconds between backups.'),
    keep: z.int().describe('Number of backups to keep; older ones are removed.'),
    to: z.string().describe('The directory, or `s3://bucket/prefix`.'),
    last_success_at: timestamp
      .nullable()
      .describe('Time of the newest backup that is complete and checked; `null` before the first.'),
    last_error: z
      .string()
      .nullable()
      .describe('Reason why the last backup failed; `null` after a success. It is retried automatically.'),
  })
  .describe('The backups that the server makes automatically.')
  .meta({ id: 'BackupSchedule' });

const ServerCertificate = z
  .object({
    domain: z.string().describe('Domain name of the certificate.'),
    authority: z.string().describe('Host of the certificate authority.'),
    expires_at: timestamp.nullable().describe('Expiry time; `null` before the first certificate.'),
    renews_at: timestamp
      .nullable()
      .describe('Time of renewal, after two thirds of the validity; `null` before the first certificate.'),
    next_try_at: timestamp
      .nullable()
      .describe('Time of the next request to the authority; `null` while one is in progress.'),
    last_error: z
      .string()
      .nullable()
      .describe(
        'Reason why the last request failed, and the cure; `null` after a success. It is retried automatically.',
      ),
  })
  .describe('The certificate that the server gets and renews automatically.')
  .meta({ id: 'ServerCertificate' });

const ServerHealth = z
  .object({
    database_bytes: z.int().describe('Size of the database in bytes.'),
    free_bytes: z
      .int()
      .nullable()
      .describe('Free disk space for the database in bytes; `null` on PostgreSQL.'),
    memory_bytes: z.int().describe('Memory of the process that responds, in bytes.'),
    jobs: z.array(HealthJobs).describe('Unfinished background jobs.'),
    backups: z
      .array(HealthBackup)
      .nullable()
      .describe('The last 20 backups, newest first; `null` on PostgreSQL, which has its own tools.'),
    backup_schedule: BackupSchedule.nullable().describe(
      'The backups that the server makes automatically (`--backup-every`); `null` if it makes none.',
    ),
    certificate: ServerCertificate.nullable().describe(
      'The certificate that the server gets automatically (`--domain`); `null` if it gets none.',
    ),
  })
  .describe('The whole server, for its operator.')
  .meta({ id: 'ServerHealth' });

/** Response of `GET /workspaces/{id}/health`. */
export const WorkspaceHealth = z
  .object({
    workspace_id: z.string().describe('The workspace.'),
    version: z.string().describe('Version of the server.'),
    started_at: timestamp.describe('Start of the process that responds.'),
    database: z
      .object({
        kind: z.enum(['sqlite', 'postgres']).describe('Kind of the database.'),
        response_ms: z.number().describe('Duration of one read, in milliseconds.'),
      })
      .describe('The database.'),
    sends_email: z.boolean().describe('True if the server can send email.'),
    public_url: z.string().describe('URL where tools and people reach the server.'),
    queue: StatsQueue,
    server: ServerHealth.nullable().describe(
      'The whole server; `null` unless the caller is its operator, the user created when it was set up.',
    ),
  })
  .describe('State of the server, as far as the caller may see it.')
  .meta({ id: 'WorkspaceHealth' });
