import type { WorkspaceStats } from '@hubline/sdk';
import { ProviderIcon } from '../../components/icons/provider-icon.tsx';
import { Section } from '../../components/page/section.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { formatCount } from '../../data/formats/format-number.ts';
import { useWorkspace } from '../../session/workspace.ts';

const SHOWN = 6;

/** The sources of the window's events, the busiest first, and the queue as it is now. */
export function OverviewSources({ stats: { sources, queue } }: { stats: WorkspaceStats }) {
  const { href } = useWorkspace();
  const most = sources[0]?.events ?? 1;
  return (
    <>
      {sources.length > 0 && (
        <Section title="Events by source">
          <div class="bar-list">
            {sources.slice(0, SHOWN).map(({ source, events }) => (
              <a key={source} href={href(`events?source=${encodeURIComponent(source)}`)}>
                <ProviderIcon provider={source} size="bare" />
                <span class="clip">
                  <Foreign text={source} />
                </span>
                <svg class="b" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <path class="c-none" d="M0 0h100v6H0z" />
                  <path class="c-ok" d={`M0 0h${(100 * events) / most}v6H0z`} />
                </svg>
                <span class="end dim">{formatCount(events)}</span>
              </a>
            ))}
          </div>
        </Section>
      )}
      <Section title="Queue now">
        <dl class="card queue">
          {Object.entries({ Waiting: queue.pending, Retrying: queue.retrying, Held: queue.held }).map(
            ([label, count]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{formatCount(count)}</dd>
              </div>
            ),
          )}
        </dl>
      </Section>
    </>
  );
}
