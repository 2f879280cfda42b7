/** Languages that a template may be written in. In each, values are escaped so that they are shown as they are. */
export type Escaping = 'none' | 'mrkdwn' | 'markdown' | 'html';

/** Writes a value so that it formats nothing, links nothing and mentions nobody. */
export const ESCAPES = {
  none: (text) => text,
  mrkdwn: escapeMrkdwn,
  // A value in a line of Markdown: it must not begin another line, whose first character could mean something.
  markdown: (text) => text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]()<>#+\-!|~&]/g, String.raw`\$&`),
  html: escapeHtml,
} satisfies Record<Escaping, (text: string) => string>;

/** Writes a text for Slack: https://docs.slack.dev/messaging/formatting-message-text#escaping. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Writes a text for HTML, in an element or in an attribute. */
function escapeHtml(text: string): string {
  return escapeMrkdwn(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
