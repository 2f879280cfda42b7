import type { NotificationTrigger, OPERATIONAL_TRIGGERS, Severity, TemplateBody } from '@hubline/contract';
import type { Draft } from '../draft.ts';
import type { FaultDetail } from '../faults/fault.ts';
import { cut } from '../cut.ts';
import type { Escaping } from '../templates/escaping.ts';
import { renderTemplate, type TemplateScope } from '../templates/template.ts';
import { renderTree, treeFaults } from '../templates/template-tree.ts';
import { RULE_NAMES, TEMPLATE_NAMES } from '../value-names.ts';
import { DEFAULT_TEMPLATES } from './default-templates.ts';
import { safeHtml, scriptFault } from './safe-html.ts';

/** The parts of a template that are filled. */
export interface TemplateContent {
  subject: string | null;
  body: TemplateBody;
}

/** A notification in every form that its template has. */
export interface Content extends TemplateBody {
  /** One line. */
  subject: string;
}

/** A notification as it is stored with its message. */
export interface StoredContent extends Content {
  severity: Severity;
}

/** A notification, and the forms that could not be filled: they are `null`, or those of the default. */
export interface RenderedContent {
  content: Content;
  problems: FaultDetail[];
}

const SUBJECT_MAX = 200;

/** A body without any form but its text. */
export const plainBody = (text: string): TemplateBody => ({
  text,
  markdown: null,
  html: null,
  slack_blocks: null,
  discord_embeds: null,
  adaptive_card: null,
});

/** The template of a trigger, for rules that name none. */
export function defaultTemplate(trigger: NotificationTrigger): TemplateContent {
  const { subject, text } = DEFAULT_TEMPLATES[trigger];
  return { subject, body: plainBody(text) };
}

/** The faults of a template, each with its path. */
export function contentFaults({ subject, body = {} }: Draft<TemplateContent>): FaultDetail[] {
  return [
    ...treeFaults(subject, { path: 'subject', names: TEMPLATE_NAMES }),
    ...Object.entries(body).flatMap(([form, value]) =>
      treeFaults(value, { path: `body.${form}`, names: TEMPLATE_NAMES }),
    ),
    ...scriptFaults(body.html ?? null),
  ];
}

function scriptFaults(html: string | null): FaultDetail[] {
  const issue = scriptFault(html);
  return issue === null ? [] : [{ field: 'body.html', issue }];
}

/**
 * Fills a template. A form that cannot be filled is left out, but the notification is sent: a card falls back to the text, and the text
 * to the default.
 */
export function renderContent(
  template: TemplateContent,
  trigger: NotificationTrigger,
  scope: TemplateScope,
): RenderedContent {
  const problems: FaultDetail[] = [];
  const text = (field: string, source: string | null, escaping?: Escaping): string | null => {
    if (source === null) return null;
    const rendered = renderTemplate(source, scope, escaping);
    if (rendered.ok && rendered.text.trim() !== '') return rendered.text;
    // Tools refuse a message without text, and people cannot read one.
    problems.push({ field, issue: rendered.ok ? 'renders to an empty text' : rendered.error });
    return null;
  };
  const tree = <Form>(field: string, source: Form | null, escaping: typeof escapingInSlack): Form | null => {
    if (source === null) return null;
    const rendered = renderTree(source, scope, escaping);
    // The form of the JSON is that of the template.
    if (rendered.ok) return rendered.value as Form;
    problems.push({ field, issue: rendered.error });
    return null;
  };
  const { subject, body } = template;
  const standard = defaultTemplate(trigger);
  // With a separate budget, because the template may have used up its own.
  const plain = (source: string | null) => {
    const rendered = renderTemplate(source ?? '', { ...scope });
    return rendered.ok ? rendered.text : null;
  };
  const title = text('subject', subject) ?? plain(standard.subject) ?? trigger;
  const content: Content = {
    subject: cut(title.replaceAll(/\s+/g, ' ').trim() || trigger, SUBJECT_MAX),
    text: text('body.text', body.text) ?? plain(standard.body.text) ?? title,
    markdown: text('body.markdown', body.markdown, 'markdown'),
    html: safe(text('body.html', body.html, 'html')),
    slack_blocks: tree('body.slack_blocks', body.slack_blocks, escapingInSlack),
    discord_embeds: tree('body.discord_embeds', body.discord_embeds, escapingInCards),
    adaptive_card: tree('body.adaptive_card', body.adaptive_card, escapingInCards),
  };
  return { content, problems };
}

const safe = (html: string | null): string | null => (html === null ? null : safeHtml(html));

/** Only texts of the type `mrkdwn` are formatted. */
const escapingInSlack = (name: string, parent: object): Escaping =>
  name === 'text' && 'type' in parent && parent.type === 'mrkdwn' ? 'mrkdwn' : 'none';

/** Fields that a person reads are Markdown; URLs, colors and sizes are not. */
const FORMATTED: ReadonlySet<string> = new Set(['text', 'title', 'description', 'value', 'name']);
const escapingInCards = (name: string): Escaping => (FORMATTED.has(name) ? 'markdown' : 'none');

/** A key of a rule, filled and shortened; empty if its template cannot be filled. */
export function renderKey(source: string, scope: TemplateScope): string {
  const rendered = renderTemplate(source, scope);
  return rendered.ok ? cut(rendered.text.trim(), SUBJECT_MAX) : '';
}

/** The faults of a key. */
export const keyFaults = (source: string | undefined, path: string): FaultDetail[] =>
  treeFaults(source, { path, names: RULE_NAMES });

/** The urgency of the problems of the hub. */
const OPERATIONAL_SEVERITY: Readonly<Partial<Record<NotificationTrigger, Severity>>> = {
  'webhook.failing': 'medium',
  'webhook.disabled': 'high',
  'integration.error': 'high',
  'automation.disabled': 'medium',
} satisfies Record<(typeof OPERATIONAL_TRIGGERS)[number], Severity>;

/** The urgency of a notification, for tools that sort by it. */
export function severityOf(trigger: NotificationTrigger, scope: TemplateScope): Severity {
  const operational = OPERATIONAL_SEVERITY[trigger];
  if (operational) return operational;
  const { event } = scope as { event?: { summary?: { severity?: Severity } } };
  return event?.summary?.severity ?? 'none';
}

/** Several notifications as one. `total` also counts those that are not listed. */
export function digestOf(
  items: readonly Content[],
  { name, total }: { name: string; total: number },
): Content {
  const left = total - items.length;
  const more = left > 0 ? [`… and ${left} more`] : [];
  const line = ({ text, subject }: Content) => text.trim() || subject;
  return {
    ...plainBody([...items.map((item) => `• ${line(item).replaceAll('\n', '\n  ')}`), ...more].join('\n')),
    subject: cut(`${name}: ${total} ${total === 1 ? 'notification' : 'notifications'}`, SUBJECT_MAX),
    // Only Markdown forms make a Markdown form.
    markdown: items.every(({ markdown }) => markdown !== null)
      ? [...items.map(({ markdown }) => `- ${markdown?.trim().replaceAll('\n', '\n  ')}`), ...more].join('\n')
      : null,
  };
}
