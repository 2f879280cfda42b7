import { view } from '../spec/view.ts';

export const permissionView = view<{
  permission: string;
  owner: boolean;
  admin: boolean;
  member: boolean;
  viewer: boolean;
}>()({
  noun: ['permission', 'permissions'],
  fields: ['permission', 'owner', 'admin', 'member', 'viewer'],
  columns: ['permission', 'owner', 'admin', 'member', 'viewer'],
  id: 'permission',
});
