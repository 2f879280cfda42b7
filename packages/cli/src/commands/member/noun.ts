import { command as exportMembers } from './export.ts';
import { command as importMembers } from './import.ts';
import { command as invite } from './invite.ts';
import { command as list } from './list.ts';
import { command as permissions } from './permissions.ts';
import { command as remove } from './remove.ts';
import { command as resendInvite } from './resend-invite.ts';
import { command as update } from './update.ts';

export const commands = [
  list,
  invite,
  update,
  remove,
  resendInvite,
  permissions,
  importMembers,
  exportMembers,
] as const;
