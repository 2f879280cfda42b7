import { client } from '../../api/client.ts';
import { NounList } from '../../components/schema/noun-list.tsx';
import { Time } from '../../components/text/time.tsx';
import { usePages } from '../../data/queries/use-pages.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { FORMS } from './forms.tsx';

export function TemplatesPage() {
  const { id: workspaceId } = useWorkspace();
  const pages = usePages(
    (signal) => client.notificationTemplates.list(workspaceId, { limit: 50 }, { signal }),
    ['notification-templates', workspaceId],
  );
  return (
    <NounList
      title="Templates"
      noun={['template', 'templates']}
      page="templates"
      pages={pages}
      columns={[
        {
          label: 'Forms',
          grow: true,
          hideWhenNarrow: 'first',
          cell: ({ body }) => (
            <span class="faint">
              {Object.entries(FORMS)
                .filter(([form]) => body[form as keyof typeof FORMS] !== null)
                .map(([, label]) => label)
                .join(', ')}
            </span>
          ),
        },
        { label: 'Version', align: 'end', cell: ({ version }) => version },
        { label: 'Changed', align: 'end', cell: ({ updated_at: at }) => <Time value={at} /> },
      ]}
      placeholder="Pull requests"
      onCreate={(name) =>
        client.notificationTemplates.create(workspaceId, { name, body: { text: '{{ event.summary.text }}' } })
      }
      empty="A template is the text of a notification, filled with values of the event. Without one, a rule sends a one-line summary."
      sample={['template create', SAMPLE]}
    />
  );
}

const SAMPLE = `name: Pull requests
subject: '{{ event.summary.subject.name }}'
body: { text: '{{ event.summary.text }}' }`;
