import type { AuditEntry } from '@hubline/sdk';
import { useSignal } from '@preact/signals';
import { Foreign } from '../../components/text/foreign.tsx';
import { Id } from '../../components/text/id.tsx';
import { statusWord } from '../../components/text/status.tsx';
import { Icon } from '../../components/icons/icon.tsx';
import { JsonViewer } from '../../components/code/json-viewer.tsx';
import { KeyValue } from '../../components/page/key-value.tsx';
import { Face } from '../../components/text/face.tsx';
import { formatClock, formatDay, Time } from '../../components/text/time.tsx';
import { formatAbsolute } from '../../components/text/time-ago.tsx';
import { auditActor, auditTarget, auditValue, auditVerb, targetName } from './audit-text.ts';

/** An entry as one sentence, which opens to the changes and their origin. */
export function AuditItem({ entry, isFirstOfDay }: { entry: AuditEntry; isFirstOfDay: boolean }) {
  const open = useSignal(false);
  const actor = auditActor(entry);
  const at = new Date(entry.created_at);
  return (
    <li>
      {isFirstOfDay && <h2 class="day">{formatDay(at)}</h2>}
      <details onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary class="say audit-row">
          <time dateTime={entry.created_at} title={formatAbsolute(entry.created_at)}>
            {formatClock(at)}
          </time>
          {entry.actor.type === 'user' ? <Face name={actor} small /> : <Icon name="key" size="s" />}
          <span class="audit-line">
            <strong>
              <Foreign text={actor} />
            </strong>{' '}
            {auditVerb(entry.action)}{' '}
            <strong>
              <Foreign text={auditTarget(entry)} />
            </strong>{' '}
            <Brief entry={entry} />
          </span>
          <Icon name="right" size="s" />
        </summary>
        {open.value && <Details entry={entry} />}
      </details>
    </li>
  );
}

/** The change of a single field if it is short; otherwise the names of the changed fields. */
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
          ['Time', <Time key="time" value={entry.created_at} />],
          ['By', <Named key="actor" id={actor.id} name={auditActor(entry)} />],
          ...targets.map(
            (target) =>
              [
                statusWord(target.type),
                <Named key={target.id} id={target.id} name={targetName(target)} />,
              ] as const,
          ),
          ['API key', context.api_key_id && <Id key="key" value={context.api_key_id} />],
          ['IP address', context.ip],
          ['User agent', context.user_agent && <Foreign key="agent" text={context.user_agent} />],
          ['Request', context.request_id && <Id key="request" value={context.request_id} />],
          ['Entry', <Id key="entry" value={entry.id} />],
        ]}
      />
      {Object.keys(metadata).length > 0 && <JsonViewer text={JSON.stringify(metadata)} label="Metadata" />}
    </div>
  );
}

/** A name, and the ID that programs know it by. */
function Named({ id, name }: { id: string | null; name?: string | null }) {
  return (
    <>
      {name != null && name !== id && (
        <>
          <Foreign text={name} />{' '}
        </>
      )}
      {id !== null && <Id value={id} />}
    </>
  );
}
