import { ID_ALPHABET } from '@hubline/contract/constants';
import type { Session } from '../../api/session.ts';
import { whoMay } from '../../api/permissions.ts';
import type { IconName } from '../../components/icons/icon.tsx';
import type { useWorkspace } from '../../session/workspace.ts';
import type { PaletteCommand } from './palette-command.ts';

/** The meaning of an ID: the page that it leads to, and a note about it. */
interface Destination {
  readonly command?: PaletteCommand;
  readonly note?: string;
}

interface Viewer extends Pick<ReturnType<typeof useWorkspace>, 'can'> {
  readonly memberships: Session['memberships'];
}

/** Kinds of things that have a page, or a row of one, by the prefix of their IDs. */
const PAGES: Readonly<
  Record<string, { readonly kind: string; readonly icon: IconName; readonly path: string }>
> = {
  evt: { kind: 'Event', icon: 'events', path: 'events/' },
  dlv: { kind: 'Delivery', icon: 'deliveries', path: 'deliveries/' },
  whk: { kind: 'Webhook', icon: 'webhooks', path: 'webhooks/' },
  nrl: { kind: 'Notification rule', icon: 'bell', path: 'notification-rules/' },
  ntp: { kind: 'Template', icon: 'code', path: 'templates/' },
  aut: { kind: 'Automation', icon: 'automation', path: 'automations/' },
  int: { kind: 'Integration', icon: 'integrations', path: 'integrations/' },
  run: { kind: 'Run', icon: 'automation', path: 'runs/' },
  key: { kind: 'API key', icon: 'key', path: 'settings/api-keys?row=' },
  usr: { kind: 'Member', icon: 'user', path: 'members?row=' },
};

const ID = /\b([a-z]+)_([0-9a-z]{10})[0-9a-z]{16}\b/;

/** The ID in a pasted text, such as a line of a log, in lower case. */
export const idIn = (text: string): string | undefined => ID.exec(text.toLowerCase())?.[0];

/** The destination of an ID; `undefined` for one that names nothing to open. `name` is `null` if nothing is known to have the ID. */
export function destinationOf(
  id: string,
  name: string | null | undefined,
  viewer: Viewer,
): Destination | undefined {
  const [, prefix = '', time = ''] = ID.exec(id) ?? [];
  const page = PAGES[prefix];
  if (page && name === null) return { note: 'Nothing in this workspace has this ID.' };
  if (page) return { command: { label: name ?? id, kind: page.kind, icon: page.icon, to: page.path + id } };
  if (prefix === 'ws') return workspaceOf(id, viewer);
  if (prefix === 'req') return requestOf(id, timeOf(time), viewer);
  return undefined;
}

function workspaceOf(id: string, { memberships }: Viewer): Destination {
  const found = memberships.find(({ workspace_id }) => workspace_id === id);
  if (!found) return { note: 'You are not a member of a workspace with this ID.' };
  const to = `/w/${found.slug}/settings`;
  return { command: { label: found.name, kind: 'Workspace', icon: 'settings', to } };
}

/** The changes of a request may be in the audit log this much later: it may have waited for a tool. */
const LASTS_MS = 60_000;

function requestOf(id: string, at: number, { can }: Viewer): Destination {
  if (!can('view_audit_log'))
    return { note: `This is a request ID. Its changes are in the audit log. ${whoMay('view_audit_log')}` };
  const [from, to] = [at - 1, at + LASTS_MS].map((each) => new Date(each).toISOString());
  return {
    command: {
      label: id,
      kind: 'Audit log at that time',
      icon: 'audit',
      to: `audit-log?from=${from}&to=${to}`,
    },
    note: 'This is a request ID. Its changes are in the audit log; the server’s log has the rest.',
  };
}

/** The time of an ID, in milliseconds: its first 48 bits. */
const timeOf = (digits: string): number =>
  [...digits].reduce((time, digit) => time * ID_ALPHABET.length + ID_ALPHABET.indexOf(digit), 0);
