/**
 * Languages that a template may be written in. In each, values are escaped so that they are shown as they are; with `inert`, values may be
 * Markdown, too, but mention nobody and command nothing.
 */
export type Escaping = 'none' | 'inert' | 'mrkdwn' | 'markdown' | 'html';

/** Writes a value so that it formats nothing, links nothing, mentions nobody and commands nothing. */
export const ESCAPES = {
  none: (text) => text,
  inert,
  mrkdwn: escapeMrkdwn,
  // A value in a line of Markdown: it must not begin another line, whose first character could mean something.
  markdown: (text) =>
    inert(text.replaceAll(/\s+/g, ' ').replaceAll(/^\/|[\\`*_{}[\]()<>#+\-!|~&]/g, String.raw`\$&`)),
  html: escapeHtml,
} satisfies Record<Escaping, (text: string) => string>;

/**
 * Writes a text so that it notifies nobody whose name is in it, and commands nothing. Code hosts look for names in the finished text, and
 * GitLab for lines such as `/close` in the source, so an invisible space after the sign keeps them from it. Addresses of email and paths
 * stay as they are.
 */
function inert(text: string): string {
  return text.replaceAll(/(?<!\w)@(?=[\w.])|^\/(?=[\w-]+(?:\s|$))/gm, '$&\u200B');
}

/**
 * Writes a plain text for a tool that reads Markdown: nothing in it hides where a link leads, loads a picture, mentions somebody or
 * commands something. Emphasis stays. Backslashes would be shown where a tool does not know them, such as on a locked phone.
 */
export const plainMarkdown = (text: string): string =>
  inert(text.replaceAll(/\](?=[([:])|<(?=[a-z/!?])/gi, '$&\u200B'));

/** Writes a text for Slack: https://docs.slack.dev/messaging/formatting-message-text#escaping. */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Writes a text for HTML, in an element or in an attribute. */
function escapeHtml(text: string): string {
  return escapeMrkdwn(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
