import { ESCAPES } from '../templates/escaping.ts';
import type { Content } from './content.ts';
import { unlinked } from './unlinked.ts';

/** The end of every email: why it came, and how to stop such mail. */
interface Footer {
  /** The name of the rule; `null` for the built-in one, which notifies owners and admins of problems. */
  rule: string | null;
  workspace: string;
  unsubscribe: string;
}

/** The plain text of an email, as a terminal shows it. */
export const textMail = ({ text }: Pick<Content, 'text'>, footer: Footer): string =>
  `${text.trimEnd()}\n\n-- \n${reason(footer)}\nUnsubscribe: ${footer.unsubscribe}\n`;

const reason = ({ rule, workspace }: Footer) =>
  rule === null
    ? `You get this email because you are an owner or an admin of ${unlinked(workspace)}.`
    : `You get this email because of the rule "${unlinked(rule)}" in ${unlinked(workspace)}.`;

const { html: escape } = ESCAPES;
// A sentence may end right after a link: its punctuation is not part of the link.
const LINK = /https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,:;!?]/g;

/** The HTML of an email: that of the template, or its text with links. It has no image and no script, so nothing is loaded. */
export function htmlMail(
  { subject, text, html }: Pick<Content, 'subject' | 'text' | 'html'>,
  footer: Footer,
): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(subject)}</title></head>` +
    '<body style="font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem">' +
    (html ?? `<p>${linked(text.trimEnd()).replaceAll('\n', '<br>\n')}</p>`) +
    `<hr><p style="font-size:14px">${escape(reason(footer))} <a href="${escape(footer.unsubscribe)}">Unsubscribe</a></p></body></html>`
  );
}

function linked(text: string): string {
  let out = '';
  let end = 0;
  for (const { 0: url, index } of text.matchAll(LINK)) {
    out += `${escape(text.slice(end, index))}<a href="${escape(url)}">${escape(url)}</a>`;
    end = index + url.length;
  }
  return out + escape(text.slice(end));
}
