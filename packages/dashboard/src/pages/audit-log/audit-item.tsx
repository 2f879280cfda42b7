import type { AuditEntry } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { Foreign } from '../../components/text/foreign.tsx';
import { Id } from '../../components/text/id.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { JsonViewer } from '../../components/text/json-viewer.tsx';
import { KeyValue } from '../../components/page/key-value.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { auditActor, auditTarget, auditValue, auditVerb } from './audit-text.ts';

/** An entry as one sentence; opened, with what changed and where it came from. */
export function AuditItem({ entry }: { entry: AuditEntry }) {
  const open = useSignal(false);
  return (
    <li>
      <details onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>
          <Icon name="right" size="s" />
          <span class="audit-line">
            <strong>
              <Foreign text={auditActor(entry)} />
            </strong>{' '}
            {auditVerb(entry.action)}{' '}
            <strong>
              <Foreign text={auditTarget(entry)} />
            </strong>{' '}
            <Brief entry={entry} />
          </span>
          <span class="faint">
            <TimeAgo value={entry.created_at} />
          </span>
        </summary>
        {open.value && <Details entry={entry} />}
      </details>
    </li>
  );
}

/** The change, where a line has room for it: one field. */
function Brief({ entry: { changes } }: { entry: AuditEntry }) {
  const [first, ...rest] = changes;
  if (!first) return null;
  const text =
    rest.length === 0 && isShort(first.from) && isShort(first.to)
      ? `${first.field}: ${auditValue(first.from)} → ${auditValue(first.to)}`
      : changes.map(({ field }) => field).join(', ');
  return (
    <span class="faint">
      (<Foreign text={text} />)
    </span>
  );
}

const isShort = (value: unknown): boolean => auditValue(value).length <= 40;

function Details({ entry }: { entry: AuditEntry }) {
  const { changes, targets, actor, context, metadata } = entry;
  return (
    <div class="audit-details">
      {changes.length > 0 && (
        <table class="tbl stacks">
          <caption class="sr">Changes</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, from, to }) => (
              <tr key={field}>
                <td data-label="Field">{field}</td>
                <td data-label="From">
                  <code>
                    <Foreign text={auditValue(from)} />
                  </code>
                </td>
                <td data-label="To">
                  <code>
                    <Foreign text={auditValue(to)} />
                  </code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <KeyValue
        rows={[
          ['Action', <code key="action">{entry.action}</code>],
          ['Time', entry.created_at],
          ['Actor', <Named key="actor" id={actor.id} note={actor.type.replace('_', ' ')} />],
          ...targets.map(
            ({ type, id }) => [`Target (${type.replace('_', ' ')})`, <Id key={id} value={id} />] as const,
          ),
          ['API key', <Named key="key" id={context.api_key_id} />],
          ['Address', context.ip ?? none],
          [
            'User agent',
            context.user_agent === null ? none : <Foreign key="agent" text={context.user_agent} />,
          ],
          ['Request', <Named key="request" id={context.request_id} />],
          ['Entry', <Id key="entry" value={entry.id} />],
        ]}
      />
      {Object.keys(metadata).length > 0 && <JsonViewer text={JSON.stringify(metadata)} label="Metadata" />}
    </div>
  );
}

const none = <span class="faint">none</span>;

function Named({ id, note }: { id: string | null; note?: string }) {
  return (
    <>
      {id === null ? none : <Id value={id} />}
      {note !== undefined && <span class="faint"> {note}</span>}
    </>
  );
}
