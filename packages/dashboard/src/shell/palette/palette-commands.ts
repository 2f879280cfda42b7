import { logOut } from '../../api/session-requests.ts';
import { leaveBy } from '../../data/address/leaving.ts';
import { toastError } from '../../components/dialogs/toast.tsx';
import type { useWorkspace } from '../../session/workspace.ts';
import { navigation } from '../navigation/navigation.ts';
import type { PaletteCommand } from './palette-command.ts';
import { offers } from './palette-offers.ts';
import { type Theme, theme, THEMES } from '../theme.ts';

type Viewer = Pick<ReturnType<typeof useWorkspace>, 'can'>;

/**
 * The pages and actions that the role allows. The offers of the page and its own actions come first; `here` is its path below
 * `/w/{slug}/`.
 */
export function commandsFor(viewer: Viewer, here: string | undefined): readonly PaletteCommand[] {
  const actions = actionsFor(viewer);
  const isHere = ({ to }: PaletteCommand): boolean => typeof to === 'string' && to.split('?')[0] === here;
  return [
    ...offers(),
    ...actions.filter(isHere),
    ...pagesFor(viewer),
    ...actions.filter((each) => !isHere(each)),
  ];
}

const pagesFor = ({ can }: Viewer): readonly PaletteCommand[] => [
  ...navigation
    .filter(({ permission }) => can(permission))
    .map(({ page, label, icon }) => ({ label, kind: 'Page', icon, to: page })),
  { label: 'Account', kind: 'Page', icon: 'user', to: 'account', words: 'password theme personal keys' },
  { label: 'Failed deliveries', kind: 'Page', icon: 'deliveries', to: 'deliveries?status=failed' },
  { label: 'Failures by cause', kind: 'Page', icon: 'deliveries', to: 'deliveries?view=cause' },
  { label: 'API reference', kind: 'Page', icon: 'code', to: '/docs', words: 'docs openapi endpoints' },
  { label: 'Notifications', kind: 'Page', icon: 'bell', to: 'notifications' },
];

const NEW = { kind: 'Action', icon: 'plus' } as const;

function actionsFor({ can }: Viewer): readonly PaletteCommand[] {
  const allowed: readonly (PaletteCommand | false)[] = [
    can('publish_events') && { ...NEW, label: 'Publish an event', to: 'events?new=1', words: 'new send' },
    can('manage_webhooks') && { ...NEW, label: 'New webhook', to: 'webhooks?new=1', words: 'create add' },
    can('manage_webhooks') && {
      label: 'Retry failed deliveries',
      kind: 'Action',
      icon: 'retry',
      to: 'deliveries?retry=1',
      words: 'resend recover',
    },
    can('manage_integrations') && {
      ...NEW,
      label: 'Connect a tool',
      to: 'integrations?connect=tool',
      words: 'new integration',
    },
    can('manage_members') && { ...NEW, label: 'Invite a member', to: 'members?new=1', words: 'new add user' },
    can('manage_api_keys') && {
      ...NEW,
      label: 'New API key',
      to: 'settings/api-keys?new=1',
      words: 'create token',
    },
    can('edit_automations') && { ...NEW, label: 'New automation', to: 'automations?new=1', words: 'create' },
    can('edit_automations') && {
      ...NEW,
      label: 'New notification rule',
      to: 'notification-rules?new=1',
      words: 'create alert',
    },
    can('edit_automations') && { ...NEW, label: 'New template', to: 'templates?new=1', words: 'create' },
    { ...NEW, label: 'New workspace', to: 'settings?new=workspace', words: 'create' },
    ...themes(),
    {
      label: 'Log out',
      kind: 'Action',
      icon: 'out',
      to: () => leaveBy(() => void logOut().catch(toastError)),
      words: 'logout sign out exit',
    },
  ];
  return allowed.filter((each) => each !== false);
}

/** The themes except the current one. */
const themes = (): readonly PaletteCommand[] =>
  (Object.keys(THEMES) as Theme[])
    .filter((each) => each !== theme.value)
    .map((each) => ({
      label: `Theme: ${THEMES[each]}`,
      kind: 'Action',
      icon: 'settings',
      to: () => {
        theme.value = each;
      },
      words: 'appearance colors mode',
    }));
