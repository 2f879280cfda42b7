import { client } from '../../api/client.ts';
import { Mark, type MarkName } from '../../components/icons/mark.tsx';
import { ErrorPanel } from '../../components/page/error-panel.tsx';
import { Section } from '../../components/page/section.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Time } from '../../components/text/time.tsx';
import { useQuery } from '../../data/queries/use-query.ts';
import { useWorkspace } from '../../session/workspace.ts';

const MARKS: Readonly<Record<string, MarkName>> = { sent: 'ok', failed: 'fail' };
const SHOWN = 20;

/** The last messages of a rule: the recipient, the subject and the result of each. */
export function RuleLog({ id }: { id: string }) {
  const workspace = useWorkspace();
  const log = useQuery(
    (signal) => client.notificationRules.log(workspace.id, { rule_id: id, limit: SHOWN }, { signal }),
    ['notification-rules', workspace.id, id, 'log'],
  );
  return (
    <Section title="Messages">
      <ErrorPanel of={log} />
      {log.data?.data.length === 0 && <p class="faint">Nothing has been sent yet.</p>}
      <ul class="rows" aria-label="Messages">
        {log.data?.data.map(({ id: key, to, subject, status, reason, created_at: at }) => (
          <li class="dest" key={key}>
            <Mark name={MARKS[status] ?? 'off'} label={status} />
            <span class="grow">
              <b class="strong">
                <Foreign text={subject} />
              </b>
              <small>
                <Foreign text={to} /> {reason ?? status}
              </small>
            </span>
            <Time value={at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
