import type { EndpointInput, Role } from '@hubline/contract';
import { endpoints } from '@hubline/contract';
import type { OptionalContext } from '../../context.ts';
import { accept, showInvitation, type ShownInvitation } from '../../services/identity/invitations.ts';
import { logOut, openSession } from '../../services/identity/sessions.ts';
import { parseBody } from '../request/parse-input.ts';
import type { FormPage } from './form.ts';
import { escapeHtml, passwordField } from './page.ts';
import { shellArgument } from '../../system/shell-word.ts';

/** The rights that come with a role, in words. */
const MAY: Readonly<Record<Role, string>> = {
  owner: ', who may do everything',
  admin: ', who connects tools and manages webhooks, members and keys',
  member: ', who sees events, edits automations and rules, and publishes events',
  viewer: ', who sees events, deliveries and charts',
};

/** The page behind an invitation link. */
export const invite: FormPage = {
  title: 'Join a workspace',

  async form(context, fields) {
    const token = fields.get('token') ?? '';
    const shown = await showInvitation(context, token);
    const { workspace, email, role } = shown;
    return (
      `<p>${escapeHtml(email)} is invited to <strong>${escapeHtml(workspace.name)}</strong> as ${escapeHtml(role)}${MAY[role as Role]}.</p>` +
      nextStep(context, shown, token)
    );
  },

  async submit(context, fields) {
    const token = fields.get('token') ?? '';
    if (fields.has('log_out')) {
      if (context.actor) await logOut({ ...context, actor: context.actor });
      return { html: await invite.form({ ...context, actor: null }, fields), session: null };
    }
    const { workspace, caller } = await showInvitation(context, token);
    // The page asks them to log out first.
    if (caller === 'other') return { html: await invite.form(context, fields) };
    const password = fields.get('password');
    const body = parseBody(endpoints['invitations.accept'].body, {
      token,
      ...(password === null ? {} : { password }),
      ...(fields.has('take_over') ? { take_over: true } : {}),
    }) as EndpointInput<'invitations.accept'>['body'];
    const member = await accept(context, { params: undefined, query: undefined, body });
    const html =
      `<p>Welcome, ${escapeHtml(member.email)}. You joined ${escapeHtml(workspace.name)} as ${escapeHtml(member.role)}.</p>` +
      `<a class="button" href="/w/${workspace.slug}/overview">Open the dashboard</a>`;
    // With a new password, the person is logged in at once.
    return password === null ? { html } : { html, session: await openSession(context, member.user_id) };
  },
};

function nextStep({ actor }: OptionalContext, shown: ShownInvitation, token: string): string {
  const { email, next, workspace } = shown;
  const form = (fields: string, button: string) =>
    `<form method="post" action="/invite"><input type="hidden" name="token" value="${escapeHtml(token)}">${fields}` +
    `<button>${escapeHtml(button)}</button></form>`;
  const passwordForm = (label: string, button: string, fields = '') =>
    form(
      `${fields}<label for="email">Email</label>` +
        `<input id="email" type="email" autocomplete="username" readonly value="${escapeHtml(email)}">` +
        `<label for="password">${label}</label>${passwordField('required autocomplete="new-password"')}`,
      button,
    );
  if (shown.caller === 'other') {
    return (
      `<p>You are logged in as ${escapeHtml(actor?.email ?? '')}, and cannot accept for somebody else.</p>` +
      form('<input type="hidden" name="log_out" value="1">', 'Log out and continue')
    );
  }
  const logIn =
    `<p>You already have an account. <a href="/login?next=${escapeHtml(encodeURIComponent(`/invite?token=${token}`))}">Log in</a>, ` +
    'and you return to this page.</p>';
  switch (next) {
    case 'join':
      return `<p>You are logged in as ${escapeHtml(email)}.</p>${form('', `Join ${workspace.name}`)}`;
    case 'choose_password':
      return passwordForm('Choose a password for the dashboard', `Join ${workspace.name}`);
    case 'log_in':
      return `${logIn}<p>Forgot your password? The operator of this server can set a new one: <code>hubline server set-password ${escapeHtml(shellArgument(email))}</code></p>`;
    case 'take_over':
      return (
        `${logIn}<details><summary>You cannot log in, or never created this account?</summary>` +
        '<p>This link came to your mailbox, so the account is yours. Choose a new password: everybody who uses the account now is ' +
        'logged out, and its API keys stop working.</p>' +
        `${passwordForm('New password', 'Take over the account and join', '<input type="hidden" name="take_over" value="1">')}</details>`
      );
    case 'wait':
      return (
        '<p>You have an older invitation to another workspace. Open that one first: there you choose a password. ' +
        'Then come back to this page. If you never got it, ask the operator of this server.</p>'
      );
  }
}
