import type { ServerHealth } from '@hubline/sdk';
import { client } from '../../api/client.ts';
import { Stat, Stats } from '../../components/chart/stat.tsx';
import { Mark } from '../../components/icons/mark.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { ClosedPage } from '../../components/page/closed-page.tsx';
import { Page } from '../../components/page/page.tsx';
import { Section } from '../../components/page/section.tsx';
import { Table } from '../../components/page/table.tsx';
import { backupSamples, operatorCommand } from '../../components/code/command-samples.ts';
import { CodeSnippet } from '../../components/code/code-snippet.tsx';
import { Status, statusWord } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatMany,
  formatPeriod,
} from '../../data/formats/format-number.ts';
import { useRefreshed } from '../../data/queries/use-refreshed.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { findingsOf } from './findings.ts';
import { JOB_WORDS } from './job-words.ts';

const REFRESH_MS = 15_000;
const DATABASES: Readonly<Record<string, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

export function HealthPage() {
  const { can } = useWorkspace();
  return can('manage_workspace') ? <Health /> : <ClosedPage title="Health" permission="manage_workspace" />;
}

/** The state of the server. Admins see the part that concerns their workspace, the operator sees all of it. */
function Health() {
  const { id } = useWorkspace();
  const query = useRefreshed((signal) => client.workspaces.health(id, { signal }), ['health', id], {
    everyMs: REFRESH_MS,
  });
  const health = query.data;
  const findings = health && findingsOf(health);
  const isWell = !findings?.some(({ mark }) => mark === 'fail');
  const { queue, database, server } = health ?? {};
  return (
    <Page
      title="Health"
      note={
        health && (
          <span class={isWell ? 'pill ok' : 'pill bad'}>
            <Mark name={isWell ? 'ok' : 'fail'} />
            {isWell ? 'Healthy' : 'Needs attention'}
            {isWell && findings?.length
              ? `, with ${formatMany(findings.length, ['warning', 'warnings'])}`
              : ''}
          </span>
        )
      }
      meta={
        health && (
          <>
            <span>Hubline {health.version}</span>
            <span>
              up since <Time value={health.started_at} />
            </span>
            <span>{health.public_url}</span>
          </>
        )
      }
    >
      <ErrorPanel of={query} />
      <Stats>
        <Stat
          label="Queue"
          value={queue && formatCount(queue.pending + queue.retrying)}
          note={queue && `${queue.pending} waiting, ${queue.retrying} retrying, ${queue.held} held`}
        />
        <Stat
          label="Database"
          value={database && (database.response_ms < 1 ? '< 1 ms' : formatDuration(database.response_ms))}
          note={database && `${DATABASES[database.kind]}, one read`}
        />
        {server && (
          <>
            <Stat
              label="Size"
              value={formatBytes(server.database_bytes)}
              note={server.free_bytes === null ? 'of the database' : `${formatBytes(server.free_bytes)} free`}
            />
            <Stat label="Memory" value={formatBytes(server.memory_bytes)} note="of this process" />
            <Stat
              label="Jobs"
              value={formatCount(server.jobs.reduce((sum, { jobs }) => sum + jobs, 0))}
              note="in the background"
            />
          </>
        )}
      </Stats>
      {findings && findings.length > 0 && (
        <Section title="Checks" note={`${findings.length} to look at`}>
          <div class="card probs">
            {findings.map(({ mark, title, detail, command }) => (
              <div key={title} class="prob">
                <Mark name={mark} />
                <div class="grow">
                  <b>{title}</b>
                  <span class="d">{detail}</span>
                  {command !== undefined && <CodeSnippet samples={{ Shell: operatorCommand(command) }} />}
                </div>
              </div>
            ))}
          </div>
        </Section>
      )}
      {server && <ServerTables server={server} />}
      {server === null && (
        <p class="dim">Only the user who set up this server sees backups, jobs and sizes.</p>
      )}
    </Page>
  );
}

/** The tables that only the operator sees. */
function ServerTables({ server }: { server: ServerHealth }) {
  const { backups, backup_schedule: schedule, certificate, jobs } = server;
  return (
    <>
      {certificate && (
        <Section title="Certificate">
          <p class="dim">
            For {certificate.domain}, from {certificate.authority}:{' '}
            {certificate.expires_at === null || certificate.renews_at === null ? (
              'there is none yet.'
            ) : (
              <>
                it expires <Time value={certificate.expires_at} />, and renews automatically from{' '}
                <Time value={certificate.renews_at} />.
              </>
            )}
          </p>
        </Section>
      )}
      <Section title="Backups">
        {backups === null ? (
          <p class="dim">PostgreSQL is backed up with pg_dump. Keep master.key elsewhere.</p>
        ) : (
          <>
            <Table
              caption="Backups"
              items={backups}
              rowKey={({ path }) => path}
              muted={({ present }) => !present}
              columns={[
                { label: 'Created', cell: ({ taken_at }) => <Time value={taken_at} /> },
                { label: 'File', grow: true, cell: ({ path }) => <span class="mono">{path}</span> },
                { label: 'Size', align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
                { label: 'State', cell: ({ present }) => (present ? 'present' : 'missing') },
              ]}
              empty={<p class="dim">None yet.</p>}
            />
            {schedule === null ? (
              <>
                <p class="dim">
                  The server makes none by itself. “Now” makes one while it runs. For daily ones, start it
                  again with the command under “Every day”, which keeps the last seven. Put them on another
                  disk.
                </p>
                <CodeSnippet samples={backupSamples()} />
              </>
            ) : (
              <p class="dim">
                One every {formatPeriod(schedule.every_seconds)}, in {schedule.to}. The newest {schedule.keep}{' '}
                are kept.
              </p>
            )}
          </>
        )}
      </Section>
      {jobs.length > 0 && (
        <Section title="Background jobs">
          <Table
            caption="Background jobs"
            items={jobs}
            rowKey={({ kind, state }) => `${kind} ${state}`}
            columns={[
              {
                label: 'Work',
                grow: true,
                cell: ({ kind }) => (
                  <span>
                    {JOB_WORDS[kind] ?? statusWord(kind)} <code class="faint">{kind}</code>
                  </span>
                ),
              },
              { label: 'State', cell: ({ state }) => <Status status={state} /> },
              { label: 'Jobs', align: 'end', cell: (each) => formatCount(each.jobs) },
            ]}
            empty={null}
          />
        </Section>
      )}
    </>
  );
}
