import { changeSubscription, showSubscription } from '../../services/notifications/messages/unsubscribe.ts';
import type { FormPage } from './form.ts';
import { escapeHtml } from './page.ts';

const button = (token: string, label: string, field = '') =>
  `<form method="post" action="/unsubscribe"><input type="hidden" name="token" value="${escapeHtml(token)}">${field}` +
  `<button>${label}</button></form>`;

/** The page behind the link in an email. A mail program that unsubscribes by one click posts to the same address (RFC 8058). */
export const unsubscribe: FormPage = {
  title: 'Email notifications',

  async form(context, fields) {
    const token = fields.get('token') ?? '';
    const { email, rule, workspace } = await showSubscription(context, token);
    return (
      `<p>${escapeHtml(email)} gets email from “${escapeHtml(rule)}” in <strong>${escapeHtml(workspace)}</strong>.</p>` +
      button(token, 'Stop these emails')
    );
  },

  async submit(context, fields) {
    const token = fields.get('token') ?? '';
    const wanted = fields.has('subscribe');
    await changeSubscription(context, { token, wanted });
    const { email, rule } = await showSubscription(context, token);
    const text = `${escapeHtml(email)} gets ${wanted ? 'email' : 'no more email'} from “${escapeHtml(rule)}”.`;
    const again = '<input type="hidden" name="subscribe" value="1">';
    return { html: `<p>${text}</p>${wanted ? '' : button(token, 'Subscribe again', again)}` };
  },
};
