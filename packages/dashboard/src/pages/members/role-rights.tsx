import { type Permission, ROLES } from '@hubline/contract/constants';
import { can } from '../../api/permissions.ts';
import { Icon } from '../../components/icons/icon.tsx';
import { statusWord } from '../../components/text/status.tsx';

/** The rights that roles have or lack, from the most common to the rarest. */
const RIGHTS: readonly (readonly [Permission, string])[] = [
  ['view', 'See events and deliveries'],
  ['receive_notifications', 'Get notifications'],
  ['publish_events', 'Publish events'],
  ['edit_automations', 'Edit automations and rules'],
  ['manage_webhooks', 'Change webhooks, retry'],
  ['manage_integrations', 'Connect tools'],
  ['manage_members', 'Manage members'],
  ['manage_api_keys', 'Manage API keys'],
  ['view_audit_log', 'Read the audit log'],
  ['manage_workspace', 'Rename the workspace'],
  ['manage_billing', 'Change the plan'],
  ['transfer_ownership', 'Transfer ownership'],
  ['delete_workspace', 'Delete the workspace'],
];

/** A table of what each role may do; the column of `role` is highlighted. */
export function RoleRights({ role }: { role: string }) {
  const lit = (each: string) => (each === role ? 'mid on' : 'mid');
  return (
    <div class="card over">
      <table class="tbl matrix">
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {ROLES.map((each) => (
              <th key={each} scope="col" class={lit(each)}>
                {statusWord(each)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {RIGHTS.map(([right, words]) => (
            <tr key={right}>
              <th scope="row" class="row-h">
                {words}
              </th>
              {ROLES.map((each) => (
                <td key={each} class={lit(each)}>
                  {can(each, right) ? (
                    <>
                      <Icon name="check" size="s" />
                      <span class="sr">yes</span>
                    </>
                  ) : (
                    <span class="faint">no</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
