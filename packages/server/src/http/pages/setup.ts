import { endpoints, LIMITS } from '@hubline/contract';
import { z } from 'zod';
import { openSession } from '../../services/identity/sessions.ts';
import { requireSetupToken, setUp } from '../../services/workspaces/setup.ts';
import { parseBody } from '../request/parse-input.ts';
import type { FormPage } from './form.ts';
import { escapeHtml, passwordField } from './page.ts';

const Password = z.object({ password: endpoints['invitations.accept'].body.shape.password.unwrap() });
const { nameMax, slugMin, slugMax } = LIMITS;

const field = (fields: URLSearchParams, name: string) => (fields.get(name) ?? '').trim();

/** A slug for a name: `Éclair & Co` is `eclair-co`. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, slugMax)
    .replaceAll(/^-+|-+$/g, '');

/** The page behind the one-time setup link: the first owner, the first workspace, the first key. */
export const setup: FormPage = {
  title: 'Set up Hubline',

  async form(context, fields) {
    const token = fields.get('token') ?? '';
    await requireSetupToken(context.store.read, context.now, token);
    const input = (name: string, label: string, attributes: string) =>
      `<label for="${name}">${label}</label><input id="${name}" name="${name}" ${attributes} value="${escapeHtml(field(fields, name))}">`;
    return (
      '<p>You are the first user here. This account owns the server, and can invite everybody else.</p>' +
      `<form method="post" action="/setup"><input type="hidden" name="token" value="${escapeHtml(token)}">` +
      input('email', 'Your email address', 'required type="email" autocomplete="email"') +
      '<label for="password">Your password for the dashboard</label>' +
      passwordField('required autocomplete="new-password"') +
      input('name', 'Name of the first workspace', `required maxlength="${nameMax}"`) +
      input(
        'slug',
        'Its slug',
        // Browsers read a pattern with the flag `v`, under which a bare hyphen in a class is an error.
        `pattern="[a-z0-9\\-]+" minlength="${slugMin}" maxlength="${slugMax}" ` +
          `title="${slugMin} to ${slugMax} lower-case letters, digits and hyphens"`,
      ) +
      '<small>Its name in links and commands: lower-case letters, digits and hyphens. Leave it empty to make it from the name.</small>' +
      '<button>Create owner and workspace</button></form>'
    );
  },

  async submit(context, fields) {
    const { email } = parseBody(endpoints['members.invite'].body, { email: field(fields, 'email') }) as {
      email: string;
    };
    const workspace = parseBody(endpoints['workspaces.create'].body, {
      name: field(fields, 'name'),
      slug: field(fields, 'slug') || slugOf(field(fields, 'name')),
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
    const key = escapeHtml(made.api_key);
    const html =
      `<p>You own the workspace <strong>${escapeHtml(workspace.name)}</strong>, and you are logged in.</p>` +
      `<p>This is your API key. It is shown only once: keep it like a password.</p><code>${key}</code>` +
      '<p>The commands that the dashboard shows take it from the environment of a terminal:</p>' +
      `<code>export HUBLINE_API_KEY=${key}</code><small>In PowerShell:</small><code>$env:HUBLINE_API_KEY="${key}"</code>` +
      `<small>The command line asks for it once:</small><code>${escapeHtml(`${context.serverInfo.commandLine.program} auth login ${context.publicUrl()}`)}</code>` +
      `<a class="button" href="/w/${workspace.slug}/overview">Open the dashboard</a>`;
    return { html, session };
  },
};
