import type { Me } from '@hubline/contract/types';
import { view } from '../spec/view.ts';

export const meView = view<Me>()({
  noun: ['user', 'users'],
  fields: ['user', 'key', 'memberships'],
  columns: ['user.id', 'user.email', 'key.prefix'],
  id: 'user.id',
});
