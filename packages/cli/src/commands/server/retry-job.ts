import { define } from '../../spec/command.ts';
import { view } from '../../spec/view.ts';
import { databaseOf, STORAGE_FLAGS } from './flags.ts';
import { requireDatabase } from './require-database.ts';

export const command = define({
  path: 'server retry-job',
  summary: 'Let a background job that failed begin anew.',
  description:
    'Changes the database directly. A running server takes the job up within half a minute, a stopped one when it starts.',
  args: { id: { summary: 'Id of the job, from server jobs' } },
  flags: STORAGE_FLAGS,
  examples: ['hubline server retry-job 42', 'hubline server retry-job 42 --data ./hubline-data --json'],
  view: view<{ id: number }>()({ noun: ['job', 'jobs'], fields: ['id'], columns: ['id'], id: 'id' }),
  say: ({ id }, style) => `${style.green('✓')} Job ${id} begins anew`,
  async run(ctx, { args: { id }, flags: { data, databaseUrl } }) {
    const { parseServerConfig, retryJob } = await import('@hubline/server');
    const config = parseServerConfig({ data, databaseUrl }, { ...ctx.env });
    await requireDatabase(ctx, config, { data, mayCreate: false });
    return ctx.perform(`let job ${id} begin anew in ${databaseOf(config)}`, () => retryJob(config, id));
  },
});
