import type { ApiKey } from '@hubline/sdk';
import type { Column } from '../../components/page/table.tsx';
import { Foreign } from '../../components/text/foreign.tsx';
import { Status } from '../../components/text/status.tsx';
import { Time } from '../../components/text/time.tsx';
import { TimeAgo } from '../../components/text/time-ago.tsx';
import { scopesText } from './scopes.ts';

/** The name, and below it the prefix and the creator of the key. */
export const nameColumn = (maker?: (key: ApiKey) => string | undefined): Column<ApiKey> => ({
  label: 'Key',
  cell: (key) => {
    const by = maker?.(key);
    return (
      <div class="two-lines">
        <span class="line">
          <span class="strong">
            <Foreign text={key.name} />
          </span>
          {key.status !== 'active' && <Status status={key.status} />}
        </span>
        <small>
          <code>{key.prefix}…</code>
          {by !== undefined && <span class="maker"> by {by}</span>}
        </small>
      </div>
    );
  },
});

/** Puts revoked keys last, because people look for those that work. */
export const inOrder = (keys: readonly ApiKey[] | undefined): readonly ApiKey[] | undefined =>
  keys?.toSorted((a, b) => Number(isRevoked(a)) - Number(isRevoked(b)));

/** Reports whether a key is gone for good. */
export const isRevoked = ({ status }: ApiKey): boolean => status === 'revoked';

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
  {
    label: 'Last used',
    hideWhenNarrow: 'first',
    cell: ({ last_used_at }) => <TimeAgo value={last_used_at} />,
  },
  { label: 'Expires', cell: ({ expires_at }) => <Time value={expires_at} day /> },
];
