import type { IconName } from '../components/icons/icon.tsx';
import type { useWorkspace } from '../session/workspace.ts';
import { navigation } from './navigation.ts';

/** Something that the palette goes to. */
export interface PaletteCommand {
  readonly label: string;
  /** The kind, at the end of its row. */
  readonly kind: string;
  readonly icon: IconName;
  /** A page below `/w/{slug}/`, with its query; or, with a slash, a path. */
  readonly page: string;
  /** Other words by which it is found. */
  readonly words?: string;
}

/** The pages and actions that the role allows. */
export function commandsFor({ can }: ReturnType<typeof useWorkspace>): readonly PaletteCommand[] {
  const pages = navigation
    .filter(({ permission }) => can(permission))
    .map(({ page, label, icon }) => ({ label, kind: 'Page', icon, page }));
  const actions: readonly (PaletteCommand | false)[] = [
    { label: 'Account', kind: 'Page', icon: 'user', page: 'account', words: 'password theme personal keys' },
    { label: 'Failed deliveries', kind: 'Page', icon: 'deliveries', page: 'deliveries?status=failed' },
    { label: 'Failures by cause', kind: 'Page', icon: 'deliveries', page: 'deliveries?view=cause' },
    can('manage_webhooks') && { label: 'New webhook', kind: 'Action', icon: 'plus', page: 'webhooks?new=1' },
    { label: 'API reference', kind: 'Page', icon: 'code', page: '/docs', words: 'docs openapi endpoints' },
    { label: 'Notifications', kind: 'Page', icon: 'bell', page: 'notifications' },
    can('edit_automations') && {
      label: 'New notification rule',
      kind: 'Action',
      icon: 'plus',
      page: 'notification-rules?new=1',
    },
    can('edit_automations') && {
      label: 'New automation',
      kind: 'Action',
      icon: 'plus',
      page: 'automations?new=1',
    },
    { label: 'New workspace', kind: 'Action', icon: 'plus', page: 'settings?new=workspace' },
  ];
  return [...pages, ...actions.filter((each) => each !== false)];
}

/** Kinds of things that have a page, or a row of one, by the prefix of their ids. */
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

const ID = /^([a-z]+)_[0-9a-z]{26}$/;

/** Reports whether a text is the id of something that has a page. */
export const isDestination = (text: string): boolean => (ID.exec(text)?.[1] ?? '') in PAGES;

/** The page of an id. */
export function pageOfId(id: string): PaletteCommand | undefined {
  const page = PAGES[ID.exec(id)?.[1] ?? ''];
  return page && { label: id, kind: page.kind, icon: page.icon, page: `${page.path}${id}` };
}
