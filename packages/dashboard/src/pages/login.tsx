import { isAPIError } from '@hubline/sdk';
import { useEffect } from 'preact/hooks';
import { logIn } from '../api/session-requests.ts';
import { Form, type FormFields } from '../components/fields/form.tsx';
import { TextField } from '../components/fields/text-field.tsx';

export function LoginPage() {
  useEffect(() => {
    document.title = 'Log in · Hubline';
  }, []);
  return (
    <main class="alone">
      <h1>Log in to Hubline</h1>
      {isSecureContext ? null : (
        <div class="panel" data-tone="warn" role="alert">
          <p>
            You cannot log in over plain <code>http://</code>: browsers then do not tell the server that a
            request is the dashboard’s own. Open this page over <code>https://</code>, or on the server’s own
            machine at <code>http://localhost</code>.
          </p>
        </div>
      )}
      <Form submit="Log in" action={submit}>
        <TextField name="email" label="Email" type="email" autoComplete="username" />
        <TextField name="password" label="Password" type="password" autoComplete="current-password" />
      </Form>
      <details>
        <summary>Forgot your password, or never had one?</summary>
        <div class="stack">
          <p>The operator can set one on the server’s machine:</p>
          <p>
            <code>hubline server set-password EMAIL</code>
          </p>
          <p>If you were invited, open the link of the invitation and choose a password there.</p>
        </div>
      </details>
    </main>
  );
}

async function submit(fields: FormFields): Promise<void> {
  try {
    await logIn(fields.text('email'), fields.raw('password'));
  } catch (error) {
    if (!isAPIError(error, 'rate_limited') || error.retryAfter === null) throw error;
    throw new Error(`Too many attempts. Try again in ${error.retryAfter} seconds.`, { cause: error });
  }
}
