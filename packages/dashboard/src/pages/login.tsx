import { isAPIError } from '@hubline/sdk';
import { useEffect } from 'preact/hooks';
import { reachable } from '../api/client.ts';
import { logIn } from '../api/session-requests.ts';
import { Form, type FormFields } from '../components/fields/form.tsx';
import { TextField } from '../components/fields/text-field.tsx';
import { PublicPage } from '../components/page/public-page.tsx';
import { Notice } from '../components/page/notice.tsx';
import { program } from '../components/code/command-samples.ts';

export function LoginPage() {
  useEffect(() => {
    document.title = 'Log in · Hubline';
  }, []);
  return (
    <PublicPage title="Log in" lede="Events from every tool, signed and delivered.">
      {isSecureContext ? null : (
        <Notice tone="warn">
          <p>
            You cannot log in over plain <code>http://</code>: browsers then do not tell the server that a
            request is the dashboard’s own. Open this page over <code>https://</code>, or on the server’s own
            machine at <code>http://localhost</code>.
          </p>
        </Notice>
      )}
      <LoginForm />
      <details class="faint small">
        <summary>Forgot your password, or never had one?</summary>
        <div class="stack" data-gap="xs">
          <p>The operator can set one on the server’s machine:</p>
          <p>
            <code>{program()} server set-password EMAIL</code>
          </p>
          <p>
            On a new server, open the link that <code>{program()} server setup-link</code> prints.
          </p>
          <p>If you were invited, open the link of the invitation and choose a password there.</p>
        </div>
      </details>
    </PublicPage>
  );
}

export function LoginForm() {
  return (
    <Form submit="Log in" size="large" disposable action={submit}>
      <TextField name="email" label="Email" type="email" autoComplete="username" />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" />
    </Form>
  );
}

async function submit(fields: FormFields): Promise<void> {
  try {
    await logIn(fields.text('email'), fields.raw('password'));
  } catch (error) {
    if (!reachable.value)
      throw new Error('The server cannot be reached. Try again when it is back.', { cause: error });
    if (!isAPIError(error, 'rate_limited') || error.retryAfter === null) throw error;
    throw new Error(`Too many attempts. Try again in ${error.retryAfter} seconds.`, { cause: error });
  }
}
