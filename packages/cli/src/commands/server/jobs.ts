import { JOB_KINDS, JOB_STATES } from '@hubline/contract/constants';
import type { JobInfo } from '@hubline/server';
import { usageError } from '../../errors/errors.ts';
import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';
import { requireDatabase } from './storage/storage.ts';

export const jobs = define({
  path: 'server jobs',
  summary: 'List unfinished background jobs: emails, provider webhooks, recoveries, housekeeping.',
  description:
    'Reads the database directly, while the server is stopped or running. housekeeping and note_alive (records when the server last ran) ' +
    'are always there; statistics adds up what was counted. A job that fails is retried for about eight hours. Then its ' +
    'state is failed, until server retry-job. Payloads of jobs are not shown; the error of an email names its kind, and its recipient ' +
    'in part: a…@acme.test.',
  flags: {
    ...STORAGE_FLAGS,
    kind: {
      type: 'text',
      value: 'kind',
      suggestions: JOB_KINDS,
      summary: 'Only jobs of this kind, such as mail',
    },
    state: {
      type: 'text',
      value: 'state',
      choices: JOB_STATES,
      summary: 'Only jobs in this state',
    },
  },
  examples: [
    'hubline server jobs',
    'hubline server jobs --state failed --data ./hubline-data',
    "hubline server jobs --kind mail --json --jq '.[] | {id, last_error}'",
  ],
  view: view<JobInfo>()({
    noun: ['job', 'jobs'],
    fields: ['id', 'kind', 'key', 'state', 'attempts', 'due_at', 'last_error', 'created_at', 'failed_at'],
    columns: [
      'id',
      'kind',
      'key',
      'state',
      'attempts',
      { path: 'due_at', header: 'NEXT' },
      { path: 'last_error', header: 'ERROR', flexible: true },
    ],
    id: 'id',
  }),
  async *run(ctx, { flags: { data, databaseUrl, kind, state } }): AsyncGenerator<JobInfo> {
    const { listJobs, parseServerConfig } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    await requireDatabase(ctx, config, { data, mayCreate: false });
    yield* await listJobs(config, { kind, state });
  },
});

export const retryJob = define({
  path: 'server retry-job',
  summary: 'Run a failed or waiting background job now.',
  description:
    'Changes the database directly. A running server begins the job within a second, a stopped one when it starts.',
  args: { id: { summary: 'ID of the job, from server jobs' } },
  flags: STORAGE_FLAGS,
  examples: ['hubline server retry-job 42', 'hubline server retry-job 42 --data ./hubline-data --json'],
  view: view<{ id: number }>()({ noun: ['job', 'jobs'], fields: ['id'], columns: ['id'], id: 'id' }),
  say: ({ id }, style) => `${style.green('✓')} Job ${id} is due now`,
  async run(ctx, { args: { id }, flags: { data, databaseUrl } }) {
    if (!/^[1-9]\d{0,14}$/.test(id))
      throw usageError(`${id} is not the ID of a job, which is a number.`, 'List them: hubline server jobs');
    const { parseServerConfig, retryJob: retry } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    await requireDatabase(ctx, config, { data, mayCreate: false });
    return ctx.perform(`retry job ${id} in ${databaseOf(config)}`, () => retry(config, id));
  },
});
