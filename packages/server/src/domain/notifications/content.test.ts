import { NOTICES } from '@hubline/contract';
import { expect, it } from 'vitest';
import { contentFaults, defaultTemplate, digestOf, plainBody, renderContent } from './content.ts';

const summary = { severity: 'high', text: 'mona opened #7', subject: { url: 'https://github.com/o/r/7' } };
const scope = {
  event: { type: 'pull_request', source: 'github', summary },
  workspace: { name: 'Acme' },
  data: {},
};

it.each(NOTICES)('the default of %s is a template without faults', (trigger) => {
  expect(contentFaults(defaultTemplate(trigger))).toEqual([]);
});

it('tells an event in a line, with its severity and its page', () => {
  const { content, problems } = renderContent(defaultTemplate('event.created'), 'event.created', scope);
  expect(problems).toEqual([]);
  expect(content).toMatchObject({
    subject: '[high] mona opened #7',
    text: 'mona opened #7 (github)\nhttps://github.com/o/r/7',
    markdown: null,
  });
});

it('what cannot be filled costs a form and never the notification', () => {
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

it('a digest tells the first ones, and how many more there are', () => {
  const items = ['one\nline', 'two'].map((text) => ({ ...plainBody(text), subject: text }));
  expect(digestOf(items, { name: 'Weekly', total: 5 })).toMatchObject({
    subject: 'Weekly: 5 notifications',
    text: '• one\n  line\n• two\n… and 3 more',
    markdown: null,
  });
});
