import type { ApiKey } from '@hubline/sdk';
import { Button } from '../../components/controls/button.tsx';

/** The open dialog, and the key it is about. */
export type KeyTask = { readonly task: 'edit' | 'rotate' | 'revoke'; readonly key: ApiKey };

/** The actions for one key: none once it is revoked. */
export function ApiKeyActions({ apiKey, onTask }: { apiKey: ApiKey; onTask: (task: KeyTask) => void }) {
  if (apiKey.status === 'revoked') return null;
  const open = (task: KeyTask['task']) => () => onTask({ task, key: apiKey });
  return (
    <div class="line wrapf">
      <Button kind="quiet" size="small" about={apiKey.name} onClick={open('edit')}>
        Edit
      </Button>
      {apiKey.status === 'active' && (
        <Button kind="quiet" size="small" about={apiKey.name} onClick={open('rotate')}>
          Rotate
        </Button>
      )}
      <Button kind="danger" size="small" about={apiKey.name} onClick={open('revoke')}>
        Revoke
      </Button>
    </div>
  );
}
