import { escapeMrkdwn } from './escaping.ts';

// An escaped character, code, a link, bold, strike, or italic: the marks that people use in a notification.
const INLINE =
  /\\([!-/:-@[-`{-~])|`([^`\n]+)`|\[([^[\]\n]*)\]\((https?:\/\/[^\s()<>|]+)\)|\*\*([^*\n]+)\*\*|~~([^~\n]+)~~|(?<![\w*])[*_]([^*_\n]+)[*_](?![\w*])/g;
const HEADING = /^#{1,6} +/;
// It may end a heading, too. Anything before it in the expression would be tried again and again on a long line of spaces.
const CLOSING = / #+$/;
const ITEM = /^(\s*)[-*+] +/;

/** Turns Markdown into Slack's mrkdwn: one asterisk is bold, links are in angle brackets, and a heading is a bold line. */
export function toMrkdwn(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => {
      if (!HEADING.test(line)) return inline(line.replace(ITEM, '$1• '));
      const heading = line.replace(HEADING, '').trimEnd().replace(CLOSING, '').trimEnd();
      return `*${inline(heading.replaceAll('**', ''))}*`;
    })
    .join('\n');
}

function inline(text: string): string {
  let out = '';
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    out += escapeMrkdwn(text.slice(end, match.index)) + replace(match);
    end = match.index + match[0].length;
  }
  return out + escapeMrkdwn(text.slice(end));
}

// Slack has no way to escape its own marks: a zero-width space keeps a character from being one.
const literal = (character: string) =>
  '*_~`'.includes(character) ? `${character}\u200B` : escapeMrkdwn(character);

function replace([, escaped, code, label, url, bold, strike, italic]: RegExpExecArray): string {
  if (escaped !== undefined) return literal(escaped);
  if (code !== undefined) return `\`${escapeMrkdwn(code)}\``;
  if (url !== undefined) return `<${escapeMrkdwn(url)}|${inline(label ?? '').replaceAll('|', '¦') || url}>`;
  if (bold !== undefined) return `*${inline(bold)}*`;
  if (strike !== undefined) return `~${inline(strike)}~`;
  return `_${inline(italic ?? '')}_`;
}
