import type { Workspace } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const workspaceView = view<Workspace>()({
  noun: ['workspace', 'workspaces'],
  fields: ['id', 'name', 'slug', 'plan', 'created_at', 'updated_at'],
  columns: ['id', 'slug', { path: 'name', flexible: true }, 'plan', 'created_at'],
  id: 'id',
});
