import type { ApiKey } from '@hubline/sdk';
import type { Column } from '../../components/page/table.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Status } from '../../components/text/status.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { scopesText } from './scopes.ts';

/** The name, and below it what a key is recognized by. */
export const nameColumn = (maker?: (key: ApiKey) => string | undefined): Column<ApiKey> => ({
  label: 'Key',
  cell: (key) => {
    const by = maker?.(key);
    return (
      <div class="two-lines">
        <Foreign text={key.name} />
        <small>
          <code>{key.prefix}…</code>
          {by !== undefined && ` by ${by}`}
        </small>
      </div>
    );
  },
});

/** Columns that every list of keys has besides the name. */
export const keyColumns: readonly Column<ApiKey>[] = [
  {
    label: 'Scopes',
    cell: ({ scopes }) => (
      <span class="nowrap" title={scopes.join('\n')}>
        {scopesText(scopes)}
      </span>
    ),
  },
  { label: 'Last used', cell: ({ last_used_at }) => <TimeAgo value={last_used_at} /> },
  { label: 'Expires', cell: ({ expires_at }) => <TimeAgo value={expires_at} /> },
  { label: 'State', cell: ({ status }) => <Status status={status} /> },
];
