import { type Permission, PERMISSIONS, type Role, roleAllows, ROLES } from '@hubline/contract/constants';
import { usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { permissionView } from '../../views/permission.ts';

export const command = define({
  path: 'member permissions',
  summary: 'Show what each role may do, or what one role may do. Works offline.',
  args: { role: { summary: ROLES.join(', '), choices: ROLES, optional: true } },
  examples: ['hubline member permissions', 'hubline member permissions viewer'],
  view: permissionView,
  async *run(_ctx, { args: { role } }) {
    const asked = ROLES.find((each) => each === role);
    if (role !== undefined && !asked)
      throw usageError(`There is no role "${role}".`, `Roles: ${ROLES.join(', ')}.`);
    for (const permission of Object.keys(PERMISSIONS) as Permission[]) {
      const may = (each: Role): boolean => roleAllows(each, permission);
      if (asked && !may(asked)) continue;
      yield {
        permission,
        owner: may('owner'),
        admin: may('admin'),
        member: may('member'),
        viewer: may('viewer'),
      };
    }
  },
});
