import { endpoints, LIMITS } from '@hubline/contract';
import { z } from 'zod';
import { openSession } from '../../services/identity/sessions.ts';
import { requireSetupToken, setUp } from '../../services/identity/setup.ts';
import { parseBody } from '../request/parse-input.ts';
import type { FormPage } from './form.ts';
import { escapeHtml, passwordField } from './page.ts';

const Password = z.object({ password: endpoints['invitations.accept'].body.shape.password.unwrap() });
const { nameMax, slugMin, slugMax } = LIMITS;

const field = (fields: URLSearchParams, name: string) => (fields.get(name) ?? '').trim();

/** The page behind the one-time set-up link: the first owner, the first workspace, the first key. */
export const setup: FormPage = {
  title: 'Set up Hubline',

  async form(context, fields) {
    const token = fields.get('token') ?? '';
    await requireSetupToken(context.store.read, context.now, token);
    const input = (name: string, label: string, attributes: string) =>
      `<label for="${name}">${label}</label><input id="${name}" name="${name}" required ${attributes} value="${escapeHtml(field(fields, name))}">`;
    return (
      `<form method="post" action="/setup"><input type="hidden" name="token" value="${escapeHtml(token)}">` +
      input('email', 'Your email address', 'type="email" autocomplete="email"') +
      '<label for="password">Your password for the dashboard</label>' +
      passwordField('required autocomplete="new-password"') +
      input('name', 'Name of the first workspace', `maxlength="${nameMax}"`) +
      input(
        'slug',
        'Its slug',
        // Browsers read a pattern with the flag `v`, under which a bare hyphen in a class is an error.
        `pattern="[a-z0-9\\-]+" minlength="${slugMin}" maxlength="${slugMax}" ` +
          `title="${slugMin} to ${slugMax} lower-case letters, digits and hyphens"`,
      ) +
      '<button>Create owner and workspace</button></form>'
    );
  },

  async submit(context, fields) {
    const { email } = parseBody(endpoints['members.invite'].body, { email: field(fields, 'email') }) as {
      email: string;
    };
    const workspace = parseBody(endpoints['workspaces.create'].body, {
      name: field(fields, 'name'),
      slug: field(fields, 'slug'),
    }) as { name: string; slug: string };
    const { password } = parseBody(Password, { password: fields.get('password') ?? undefined }) as {
      password: string;
    };
    const made = await setUp(context, fields.get('token') ?? '', {
      email,
      password,
      workspace: { name: workspace.name, slug: workspace.slug },
    });
    const session = await openSession(context, made.user_id);
    const html =
      `<p>You own the workspace <strong>${escapeHtml(workspace.name)}</strong> (${escapeHtml(made.workspace_id ?? '')}).</p>` +
      `<p>Your API key, shown this once:</p><code>${escapeHtml(made.api_key)}</code>` +
      `<p>In a terminal:</p><code>hubline auth login --base-url ${escapeHtml(context.publicUrl())}/v1</code>` +
      '<p><a href="/">Open the dashboard</a>: you are logged in.</p>';
    return { html, session };
  },
};
