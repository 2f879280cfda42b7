import { endpoints } from '@hubline/contract';
import type { EndpointInput } from '@hubline/contract';
import { accept } from '../../services/invitations.ts';
import { openSession } from '../../services/sessions.ts';
import { parseBody } from '../parse-input.ts';
import type { FormPage } from './form.ts';
import { escapeHtml, passwordField } from './page.ts';

/** The page behind an invitation link. */
export const invite: FormPage = {
  title: 'Join a workspace',

  form: (_context, fields) =>
    Promise.resolve(
      `<form method="post" action="/invite"><input type="hidden" name="token" value="${escapeHtml(fields.get('token') ?? '')}">` +
        '<label for="password">Password (optional; at least 12 characters; yours, if you have an account)</label>' +
        passwordField('autocomplete="new-password"') +
        '<button>Accept the invitation</button></form>',
    ),

  async submit(context, fields) {
    const password = fields.get('password') ?? '';
    const body = parseBody(endpoints['invitations.accept'].body, {
      token: fields.get('token') ?? '',
      ...(password === '' ? {} : { password }),
    }) as EndpointInput<'invitations.accept'>['body'];
    const member = await accept(context, { params: undefined, query: undefined, body });
    const html = `<p>Welcome, ${escapeHtml(member.email)}. You joined ${escapeHtml(member.workspace_id)} as ${member.role}.</p>`;
    // The link was enough to join, and is nobody's password: who chose none is not logged in.
    if (password === '') return { html, session: null };
    const session = await openSession(context, member.user_id);
    return { html: `${html}<p><a href="/">Open the dashboard</a>: you are logged in.</p>`, session };
  },
};
