import type { Recovery } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const recoveryView = view<Recovery>()({
  noun: ['recovery', 'recoveries'],
  fields: [
    'id',
    'workspace_id',
    'webhook_id',
    'status',
    'matched',
    'done',
    'filters',
    'created_at',
    'completed_at',
  ],
  columns: ['id', 'status', 'matched', 'done', 'created_at', 'completed_at'],
  id: 'id',
});
