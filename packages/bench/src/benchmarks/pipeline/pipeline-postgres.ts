import { hublinePostgres } from '../../contenders/hubline.ts';
import { pgboss } from '../../contenders/pgboss.ts';
import { Load } from '../../load/load.ts';
import type { Options } from '../../options.ts';
import { progress } from '../../report/progress.ts';
import type { Result } from '../../report/result.ts';
import { median, medianRatio } from '../../statistics.ts';
import { busyNote, contenderTable } from './pipeline.ts';
import { pipelineRound } from './pipeline-round.ts';
import type { PipelineSample } from './pipeline-sample.ts';

/** The `pipeline` benchmark with the server on PostgreSQL, compared with pg-boss. */
export async function pipelinePostgres(options: Options): Promise<Result> {
  await using load = new Load();
  const [receiverUrl = ''] = await load.receiver.call('listen', { hooks: 1, ports: 1 });
  const { events, connections, calm } = options;
  const own: PipelineSample[] = [];
  const peer: PipelineSample[] = [];
  const sides = [
    { contender: hublinePostgres(options), samples: own },
    { contender: pgboss, samples: peer },
  ];
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { contender, samples } of round % 2 === 0 ? sides : sides.toReversed()) {
      progress(`round ${round + 1} of ${options.rounds}: ${contender.name}`);
      samples.push(await pipelineRound(load, contender, { events, connections, calm, receiverUrl }));
    }
  }
  const both = new Map([
    ['hubline_postgres', own],
    ['pgboss', peer],
  ]);
  const ratio = (key: 'eventsPerS' | 'cpuUsPerEvent') =>
    medianRatio(
      own.map((sample) => sample[key]),
      peer.map((sample) => sample[key]),
    );
  return {
    tables: [contenderTable(both, 'On PostgreSQL: event over HTTP → stored → signed POST → recorded')],
    notes: busyNote(both),
    figures: {
      ratio_pgboss: ratio('eventsPerS'),
      cpu_vs_pgboss: ratio('cpuUsPerEvent'),
      events_per_s: median(own.map(({ eventsPerS }) => eventsPerS)),
      cpu_us_per_event: median(own.map(({ cpuUsPerEvent }) => cpuUsPerEvent)),
    },
    goals: { ratio_pgboss: { atLeast: 1.5 }, cpu_vs_pgboss: { atMost: 0.7 } },
  };
}
