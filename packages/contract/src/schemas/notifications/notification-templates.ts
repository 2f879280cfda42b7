import { z } from 'zod';
import { LIMITS } from '../../constants/limits.ts';
import { displayName, text, timestamp } from '../../text.ts';
import { bounded, id, jsonObject, list } from '../common.ts';
import { EventPublish } from '../events.ts';

// More than the largest message that any of the tools accepts.
const CARD_CHARACTERS = 65_536;
const CARD_RULE = `must have at most ${CARD_CHARACTERS} characters as JSON`;
const isShort = (value: unknown) => JSON.stringify(value ?? null).length <= CARD_CHARACTERS;

/** A JSON object for a tool. Its texts are templates. */
const card = bounded(jsonObject, 100);
const cards = (max: number) =>
  list(card, { min: 1, rule: 'must have at least one item; leave it out for none', max }).refine(
    isShort,
    CARD_RULE,
  );
const template = text(1, LIMITS.templateMax);
const subject = text(1, 1_000);

const body = {
  text: template.describe('Plain text, for every channel without its own form.'),
  markdown: template.nullable().optional().describe('Markdown, for chat tools and issue trackers.'),
  html: template.nullable().optional().describe('HTML, for email.'),
  slack_blocks: cards(50).nullable().optional().describe('Block Kit blocks, whose strings are templates.'),
  discord_embeds: cards(10).nullable().optional().describe('Embeds, whose strings are templates.'),
  adaptive_card: card
    .refine(isShort, CARD_RULE)
    .nullable()
    .optional()
    .describe('Adaptive Card for Teams, whose strings are templates.'),
};

const TemplateBodyInput = z
  .strictObject(body)
  .describe('The forms of a notification, in Liquid. Values are escaped for each form.')
  .meta({ id: 'TemplateBodyInput' });

const objects = z.array(jsonObject).nullable();

const TemplateBody = z
  .object({
    text: z.string().describe('Plain text, for every channel without its own form.'),
    markdown: z.string().nullable().describe('Markdown; `null` for none.'),
    html: z.string().nullable().describe('HTML, for email; `null` for none.'),
    slack_blocks: objects.describe('Block Kit blocks; `null` for none.'),
    discord_embeds: objects.describe('Embeds of Discord; `null` for none.'),
    adaptive_card: jsonObject.nullable().describe('Adaptive Card for Teams; `null` for none.'),
  })
  .describe('The forms of a notification.')
  .meta({ id: 'TemplateBody' });

/** The forms of a notification. */
export type TemplateBody = z.output<typeof TemplateBody>;

/** A notification template. */
export const NotificationTemplate = z
  .object({
    id: z.string().describe('`ntp_` and 26 characters.'),
    workspace_id: z.string().describe('Owning workspace.'),
    name: z.string().describe('Display name.'),
    version: z.int().describe('Number of this version: 1 for the first, one more with every change.'),
    subject: z
      .string()
      .nullable()
      .describe('Title of the notification, and subject of an email; `null` for the default.'),
    body: TemplateBody.describe('The forms of the text.'),
    sample_event_type: z.string().nullable().describe('Type of the events that the template is written for.'),
    created_at: timestamp.describe('Creation time.'),
    updated_at: timestamp.describe('Time of this version.'),
  })
  .describe('A template for the text of notifications, in Liquid.')
  .meta({ id: 'NotificationTemplate' });

const fields = {
  name: displayName.describe('Display name, 1 to 100 characters.'),
  subject: subject.nullable().optional().describe('Title, in Liquid. Default: one line about the event.'),
  body: TemplateBodyInput.describe('The forms of the text.'),
  sample_event_type: text(1, 100)
    .nullable()
    .optional()
    .describe('Type of the events that the template is written for.'),
};

/** Body of `POST /workspaces/{id}/notification-templates`. */
export const NotificationTemplateCreate = z
  .strictObject(fields)
  .describe('A template to create.')
  .meta({ id: 'NotificationTemplateCreate' });

/** Body of `PATCH /workspaces/{id}/notification-templates/{templateId}`. */
export const NotificationTemplateUpdate = z
  .strictObject({
    ...fields,
    name: displayName.optional().describe('New name.'),
    body: TemplateBodyInput.optional().describe('New forms of the text, all of them.'),
  })
  .describe('Changes to a template. They create a new version.')
  .meta({ id: 'NotificationTemplateUpdate' });

/** An event for a preview or a dry run: a stored one, or a sample. */
export const sampleEvent = {
  event_id: id('event').optional().describe('A stored event.'),
  event: EventPublish.pick({ type: true, source: true, payload: true })
    .optional()
    .describe('A sample event. Without it and `event_id`, the newest event of the workspace is used.'),
};

/** Body of `POST /workspaces/{id}/notification-templates/{templateId}/preview`. */
export const TemplatePreview = z
  .strictObject({
    ...sampleEvent,
    subject: subject.nullable().optional().describe('Subject to try instead of the stored one.'),
    body: TemplateBodyInput.optional().describe('Forms to try instead of the stored ones.'),
  })
  .describe('A preview of a template on an event.')
  .meta({ id: 'TemplatePreview' });

const problem = z.object({
  field: z.string().describe('Path of the template, such as `body.slack_blocks[0].text.text`.'),
  issue: z.string().describe('The error, with its line and column.'),
});

/** A rendered template. */
export const RenderedTemplate = z
  .object({
    subject: z.string().describe('Title, in one line.'),
    ...TemplateBody.shape,
    problems: z.array(problem).describe('Forms that could not be rendered: they are `null` or empty.'),
  })
  .describe('A template, rendered with the values of an event.')
  .meta({ id: 'RenderedTemplate' });
