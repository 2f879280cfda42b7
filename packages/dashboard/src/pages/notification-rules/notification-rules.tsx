import { client } from '../../api/client.ts';
import { NounList } from '../../components/schema/noun-list.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Time } from '../../components/text/time.tsx';
import { usePages } from '../../data/queries/use-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { placesOf } from './rule-specs.ts';

export function NotificationRulesPage() {
  const { id: workspaceId, user } = useWorkspace();
  const pages = usePages(
    (signal) => client.notificationRules.list(workspaceId, { limit: 50 }, { signal }),
    ['notification-rules', workspaceId],
  );
  return (
    <NounList
      title="Notification rules"
      noun={['rule', 'rules']}
      page="notification-rules"
      pages={pages}
      columns={[
        {
          label: 'When',
          hideWhenNarrow: 'second',
          cell: ({ notify_on: on, types }) => <span class="faint">{(types ?? on).join(', ')}</span>,
        },
        {
          label: 'To',
          grow: true,
          hideWhenNarrow: 'first',
          cell: ({ destinations }) => <Foreign text={placesOf(destinations)} />,
        },
        { label: 'Changed', align: 'end', cell: ({ updated_at: at }) => <Time value={at} /> },
      ]}
      onEnable={({ id }, enabled) => client.notificationRules.update(workspaceId, id, { enabled })}
      placeholder="Critical alerts"
      onCreate={(name) =>
        client.notificationRules.create(workspaceId, {
          name,
          // Disabled, and only to its creator, so that nobody gets messages before it has been tried.
          enabled: false,
          notify_on: ['event.created'],
          destinations: [{ kind: 'in_app', user_ids: [user.id] }],
        })
      }
      empty="A rule tells people what happens: in a tool’s channel, by email, or in the notification inbox (the bell). Owners and admins are notified of failing webhooks and integrations even without a rule."
      sample={['rule create', SAMPLE]}
    />
  );
}

const SAMPLE = `name: Critical alerts
notify_on: [event.created]
filters: { severity: [critical, high] }
destinations: [{ kind: in_app, roles: [owner, admin] }]`;
