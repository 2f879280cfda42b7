import { isAPIError, isConnectionError } from '@hubline/sdk';
import { Button } from '../controls/button.tsx';
import { Id } from '../text/id.tsx';
import { Notice } from './notice.tsx';

interface ErrorPanelProps {
  /** A query or an action. */
  readonly of: { readonly error?: unknown; readonly reload?: () => void };
}

/** An error in the server's words, with the ID of the request to find it in the server's log; nothing without one. */
export function ErrorPanel({ of: { error, reload } }: ErrorPanelProps) {
  if (error === undefined) return null;
  if (isAPIError(error, 'not_found')) return <Missing what={errorMessage(error).split('. ')[0]} />;
  const { requestId, details } = isAPIError(error) ? error : { requestId: null, details: [] };
  return (
    <Notice
      tone="bad"
      actions={
        reload && (
          <Button size="small" icon="retry" onClick={reload}>
            Try again
          </Button>
        )
      }
    >
      <p>{errorMessage(error)}</p>
      {/* The message of a single problem is the problem itself. */}
      {details.length > 1 && (
        <ul>
          {details.map(({ field, issue }) => (
            <li key={`${field} ${issue}`}>
              <code>{field}</code> {issue}
            </li>
          ))}
        </ul>
      )}
      {requestId !== null && (
        <p class="faint small">
          Request <Id value={requestId} />
        </p>
      )}
    </Notice>
  );
}

/** Says that nothing has the ID in the address. The rest of the server's message is for programs. */
export function Missing({ what }: { what: string | undefined }) {
  // The list that it would be in: the page of the address, or the one above it.
  const list = location.pathname.split('/', 4).join('/').replace(/runs$/, 'automations');
  return (
    <Notice
      tone="bad"
      title={what}
      actions={
        <a class="btn s" href={list}>
          Show the list
        </a>
      }
    >
      <p>It may have been deleted, be older than the retention period, or belong to another workspace.</p>
    </Notice>
  );
}

/** The message of an error. */
export function errorMessage(error: unknown): string {
  if (isAPIError(error)) return error.serverMessage ?? error.message;
  // The SDK names the request and its base URL, which say nothing to a person who clicked a button.
  if (isConnectionError(error)) return 'The server cannot be reached. Try again when it is back.';
  return error instanceof Error ? error.message : String(error);
}
