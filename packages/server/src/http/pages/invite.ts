import { endpoints } from '@hubline/contract';
import type { EndpointInput } from '@hubline/contract';
import { accept } from '../../services/invitations.ts';
import { parseBody } from '../parse-input.ts';
import type { FormPage } from './form.ts';
import { escapeHtml } from './page.ts';

/** The page behind an invitation link. */
export const invite: FormPage = {
  title: 'Join a workspace',

  form: (_context, fields) =>
    Promise.resolve(
      `<form method="post" action="/invite"><input type="hidden" name="token" value="${escapeHtml(fields.get('token') ?? '')}">` +
        '<label for="password">Password (optional; at least 12 characters; yours, if you have an account)</label>' +
        '<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="256">' +
        '<button>Accept the invitation</button></form>',
    ),

  async submit(context, fields) {
    const password = fields.get('password') ?? '';
    const body = parseBody(endpoints['invitations.accept'].body, {
      token: fields.get('token') ?? '',
      ...(password === '' ? {} : { password }),
    }) as EndpointInput<'invitations.accept'>['body'];
    const member = await accept(context, { params: undefined, query: undefined, body });
    return `<p>Welcome, ${escapeHtml(member.email)}. You joined ${escapeHtml(member.workspace_id)} as ${member.role}.</p>`;
  },
};
