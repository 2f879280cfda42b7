import type { Api } from './api.ts';
import { Browser } from './browser.ts';
import type { Mailbox } from './stand-ins/mailbox.ts';
import { invite, newStranger, type TestWorkspace, unique } from './workspace.ts';
import { until } from './until.ts';

/** An invitation with both its tokens. */
export interface Links {
  email: string;
  userId: string;
  returned: string;
  mailed: string;
}

/** Mails are quoted-printable. */
const decode = (text: string) => text.replaceAll('=\n', '').replaceAll('=3D', '=');
const tokenIn = (text: string) => /\/invite\?token=([\w-]+)/.exec(decode(text))?.[1] ?? '';

/** Invites an address as an admin, so that the user may make keys, and reads the token in the email. */
export async function inviteByMail(
  workspace: TestWorkspace,
  mailbox: Mailbox,
  email = `${unique('user')}@example.com`,
): Promise<Links> {
  const before = mailbox.mails.length;
  const invited = await invite(workspace, 'admin', email);
  const mail = await until('the mail', () =>
    mailbox.mails.slice(before).find(({ to }) => to.includes(email)),
  );
  return { email, userId: invited.user_id, returned: invited.token, mailed: tokenIn(mail.text) };
}

let address = 0;

/**
 * A browser with its own IP address, so that wrong passwords of others do not count against it. The server must be
 * behind a proxy.
 */
export function newBrowser({ server }: TestWorkspace): Browser {
  address += 1;
  return new Browser(server.url, {
    'X-Forwarded-For': `10.${process.pid % 256}.${address >> 8}.${address % 256}`,
  });
}

/** Reports whether a user has this password. */
export async function canLogIn(workspace: TestWorkspace, email: string, password: string): Promise<boolean> {
  return (await newBrowser(workspace).logIn(email, password)).status === 200;
}

/** An account, and everything that its user may hold. */
export interface Account extends Links {
  password: string;
  session: Browser;
  personalKey: Api;
  workspaceKey: Api;
  /** The workspace that the user is in already. */
  home: TestWorkspace;
}

export const FIRST_PASSWORD = 'the first password';

/** Makes a user who has joined somebody else's workspace by one of the two links, and has made keys there. */
export async function newAccount(
  workspace: TestWorkspace,
  mailbox: Mailbox,
  by: 'returned' | 'mailed',
): Promise<Account> {
  const home = await newStranger(workspace);
  const links = await inviteByMail(home, mailbox);
  await workspace.api
    .as(null)
    .call('invitations.accept', { body: { token: links[by], password: FIRST_PASSWORD } });
  const session = newBrowser(workspace);
  await session.logIn(links.email, FIRST_PASSWORD);
  const keyAt = async (path: string) => {
    const { json } = await session.request('POST', path, { body: { name: 'a key' } });
    return workspace.api.as(json.key);
  };
  return {
    ...links,
    password: FIRST_PASSWORD,
    session,
    personalKey: await keyAt('/v1/me/api-keys'),
    workspaceKey: await keyAt(`/v1/workspaces/${home.workspaceId}/api-keys`),
    home,
  };
}

/** Reports whether a user has joined a workspace. */
export async function hasJoined(workspace: TestWorkspace, userId: string): Promise<boolean> {
  const { data } = await workspace.api.call('members.list', { params: { id: workspace.workspaceId } });
  return data.some((member) => member.user_id === userId && member.status === 'active');
}
