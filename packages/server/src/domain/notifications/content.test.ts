import { type NotificationTrigger, NOTIFICATION_TRIGGERS, type Severity } from '@hubline/contract';
import { expect, it } from 'vitest';
import {
  contentFaults,
  defaultTemplate,
  digestOf,
  keyFaults,
  plainBody,
  renderContent,
  renderKey,
  severityOf,
} from './content.ts';

const summary = { severity: 'high', text: 'mona opened #7', subject: { url: 'https://github.com/o/r/7' } };
const scope = {
  event: { type: 'pull_request', source: 'github', summary },
  workspace: { name: 'Acme' },
  data: {},
};

it.each(NOTIFICATION_TRIGGERS)('the default of %s is a template without faults', (trigger) => {
  expect(contentFaults(defaultTemplate(trigger))).toEqual([]);
});

it('describes an event in a line, with its severity and its URL', () => {
  const { content, problems } = renderContent(defaultTemplate('event.created'), 'event.created', scope);
  expect(problems).toEqual([]);
  expect(content).toMatchObject({
    subject: '[high] mona opened #7',
    text: 'mona opened #7 (github)\nhttps://github.com/o/r/7',
    markdown: null,
  });
});

it.each([
  ['succeeded', 'has succeeded'],
  ['failed', 'has failed'],
  ['cancelled', 'was cancelled'],
])('says of a run that %s that the automation %s', (status, end) => {
  const data = { automation_name: 'Board', status };
  const template = defaultTemplate('automation.completed');
  expect(renderContent(template, 'automation.completed', { data }).content.text).toBe(
    `The automation Board ${end}.`,
  );
});

it('a form that cannot be filled is left out, and the notification stays', () => {
  const bomb = '{% for i in (1..999999999) %}{% endfor %}';
  const body = {
    ...plainBody(bomb),
    markdown: '**{{ event.type }}**',
    slack_blocks: [{ type: 'header', text: bomb }],
  };
  const { content, problems } = renderContent({ subject: bomb, body }, 'event.created', scope);
  expect(content).toMatchObject({
    subject: '[high] mona opened #7',
    text: 'mona opened #7 (github)\nhttps://github.com/o/r/7',
    markdown: String.raw`**pull\_request**`,
    slack_blocks: null,
  });
  expect(problems.map(({ field }) => field)).toEqual(['subject', 'body.text', 'body.slack_blocks']);
});

it('a digest lists the first notifications, and says how many more there are', () => {
  const items = ['one\nline', 'two'].map((text) => ({ ...plainBody(text), subject: text }));
  expect(digestOf(items, { name: 'Weekly', total: 5 })).toMatchObject({
    subject: 'Weekly: 5 notifications',
    text: '• one\n  line\n• two\n… and 3 more',
    markdown: null,
  });
});

const digest = (count: number, total: number, text = 'one') =>
  digestOf(
    Array.from({ length: count }, () => ({ ...plainBody(text), subject: 'S', markdown: '**m**\nn' })),
    {
      name: 'Weekly',
      total,
    },
  );

it.each([
  ['one', 1, 1, 'Weekly: 1 notification', '• one', '- **m**\n  n'],
  ['two', 2, 2, 'Weekly: 2 notifications', '• one\n• one', '- **m**\n  n\n- **m**\n  n'],
  ['one and another', 1, 2, 'Weekly: 2 notifications', '• one\n… and 1 more', '- **m**\n  n\n… and 1 more'],
])('a digest of %s says so in every form', (_, count, total, subject, text, markdown) => {
  expect(digest(count, total)).toMatchObject({ subject, text, markdown });
});

it('a digest shows the subject of a notification without text', () => {
  expect(digest(1, 1, ' \n').text).toBe('• S');
});

it.each([
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(199)}…`],
  ['one\n  two', 'one two'],
  [' \n', '[high] mona opened #7'],
])('the subject %j becomes one line of at most 200 characters', (subject, line) => {
  const { content } = renderContent({ subject, body: plainBody('Hi') }, 'event.created', scope);
  expect(content.subject).toBe(line);
});

it.each<[NotificationTrigger, Severity, Severity]>([
  // The trigger, the severity of the event, and that of the notification.
  ['event.created', 'critical', 'critical'],
  ['event.created', 'none', 'none'],
  ['automation.completed', 'low', 'low'],
  ['webhook.disabled', 'low', 'high'],
  ['integration.error', 'low', 'high'],
  ['webhook.failing', 'low', 'medium'],
  ['automation.disabled', 'low', 'medium'],
])('the urgency of %s, with an event of %s, is %s', (trigger, severity, urgency) => {
  expect(severityOf(trigger, { event: { summary: { severity } } })).toBe(urgency);
});

it.each<[NotificationTrigger, Severity]>([
  ['integration.connected', 'none'],
  ['user.invited', 'none'],
  ['automation.disabled', 'medium'],
])('the urgency of %s without an event is %s', (trigger, urgency) => {
  expect(severityOf(trigger, { data: {} })).toBe(urgency);
});

it.each([
  [' {{ event.type }}\n', 'pull_request'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(199)}…`],
  ['{{ event.type', ''],
])('the key %j is %j', (source, key) => {
  expect(renderKey(source, scope)).toBe(key);
});

it.each([
  [undefined, []],
  ['{{ event.type }}', []],
  [
    'a\n{{ event.type',
    [{ field: 'dedupe.key', issue: 'has a mistake in line 2, column 1: {{ is never closed; end it with }}' }],
  ],
])('the faults of the key %j', (source, faults) => {
  expect(keyFaults(source, 'dedupe.key')).toEqual(faults);
});
