import { usageError } from '../../errors.ts';
import { define } from '../../spec/command.ts';
import { PERMISSIONS } from '../../role-table.ts';
import { ROLES } from '../../views/member.ts';
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
    for (const [permission, roles] of Object.entries(PERMISSIONS)) {
      const may = (each: (typeof ROLES)[number]): boolean => (roles as readonly string[]).includes(each);
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
