import type { Role } from '@hubline/contract';
import { expect, it } from 'vitest';
import { actingRole } from './actor.ts';

it.each<[Role, Role | null, Role]>([
  ['owner', null, 'owner'],
  ['viewer', null, 'viewer'],
  ['owner', 'member', 'member'],
  ['admin', 'viewer', 'viewer'],
  ['member', 'member', 'member'],
  // A user who has lost a role since: a key never gives it back.
  ['viewer', 'admin', 'viewer'],
  ['member', 'owner', 'member'],
])('a key of a user who is %s, with the cap %s, acts as %s', (role, cap, acting) => {
  expect(actingRole({ role: cap }, role)).toBe(acting);
});
