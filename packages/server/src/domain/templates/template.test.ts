import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ESCAPES } from './escaping.ts';
import { RENDERED_MAX, renderTemplate, TEMPLATE_MAX, templateIssues } from './template.ts';
import { renderTree, treeFaults } from './template-tree.ts';

const scope = {
  event: {
    type: 'pull_request',
    payload: { number: 7, title: '<!channel> *hi* & "you"', labels: [{ name: 'bug' }, { name: 'ui' }] },
    summary: { severity: 'high', actor: { name: 'mona' } },
  },
};

const text = (source: string, escaping?: Parameters<typeof renderTemplate>[2]) => {
  const rendered = renderTemplate(source, { ...scope }, escaping);
  return rendered.ok ? rendered.text : rendered;
};

describe('a template', () => {
  test('prints values, loops and chooses', () => {
    expect(text('{{ event.summary.actor.name }} #{{ event.payload.number }}')).toBe('mona #7');
    expect(text('{% for l in event.payload.labels %}{{ l.name | upcase }} {% endfor %}')).toBe('BUG UI ');
    expect(text('{% if event.summary.severity == "high" %}!{% endif %}')).toBe('!');
  });

  test('prints nothing for what is missing, and JSON for objects', () => {
    expect(text('[{{ event.payload.nobody.name }}]')).toBe('[]');
    expect(text('{{ event.payload.labels }}')).toBe('[{"name":"bug"},{"name":"ui"}]');
  });

  test('writes times in UTC', () => {
    expect(text('{{ "2026-11-22T23:30:00.000Z" | date: "%Y-%m-%d %H:%M" }}')).toBe('2026-11-22 23:30');
  });

  test('escapes a value that it captures once, and nothing of its own', () => {
    const captured = (rest: string) => `{% capture x %}*{{ event.payload.title }}*{% endcapture %}${rest}`;
    const shown = '*&lt;!channel&gt; *hi* &amp; "you"*';
    expect(text(captured('{{ x }} {{ x }}'), 'mrkdwn')).toBe(`${shown} ${shown}`);
    expect(text(captured('{% capture y %}[{{ x }}]{% endcapture %}{{ y }}'), 'mrkdwn')).toBe(`[${shown}]`);
    expect(text(captured('{{ x | upcase }}'), 'mrkdwn')).toBe(ESCAPES.mrkdwn('*<!CHANNEL> *HI* & "YOU"*'));
    expect(text(captured('{% if x contains "hi" %}{{ x | size }}={{ x.size }}{% endif %}'))).toBe('25=25');
    expect(text(captured('{{ x | json }}'))).toBe(JSON.stringify(`*${scope.event.payload.title}*`));
    expect(
      text('{% capture x %}{% endcapture %}{% assign y = x %}[{{ y }}]{{ "\uFDD0a\uFDD1" }}', 'html'),
    ).toBe('[]a');
  });

  test('escapes values for their place, and nothing of its own', () => {
    const source = '<b>{{ event.payload.title }}</b>';
    expect(text(source)).toBe('<b><!channel> *hi* & "you"</b>');
    expect(text(source, 'mrkdwn')).toBe('<b>&lt;!channel&gt; *hi* &amp; "you"</b>');
    expect(text(source, 'html')).toBe('<b>&lt;!channel&gt; *hi* &amp; &quot;you&quot;</b>');
    expect(text(source, 'markdown')).toBe(String.raw`<b>\<\!channel\> \*hi\* \& "you"</b>`);
    expect(ESCAPES.markdown('a\n# b')).toBe(String.raw`a \# b`);
    expect(text('*{{ "@all *now*" }}* @ops', 'inert')).toBe('*@\u200Ball *now** @ops');
  });

  test.each(['constructor', '__proto__', 'event.constructor.name', 'event.payload.toString', 'process.env'])(
    'sees nothing behind %s',
    (path) => expect(text(`[{{ ${path} }}]`)).toBe('[]'),
  );

  test.each([
    ['{{ event.type', 1, 1, '{{ is never closed; end it with }}'],
    ['{{ "a }}', 1, 1, '{{ is never closed; end it with }}'],
    ['one\ntwo {% if %}', 2, 10, /^a value is missing; write a name such as event\.type/],
    ['{{ event.type | nope }}', 1, 1, /^nope is not a known filter; the known ones are .*, \w+/],
    ['{{ event.payload.title | raw }}', 1, 1, /^raw is not a known filter/],
    ['{{ event.type | upcas }}', 1, 1, 'upcas is not a known filter; did you mean upcase?'],
    ['{{ event.type || }}', 1, 16, /^the name of a filter must follow \|/],
    ['{{ event.type | truncate 80 }}', 1, 26, /^a colon must stand between a filter and its value/],
    ['{{ 1 + 2 }}', 1, 7, /^only a filter can follow a value/],
    ['{{ event["id" }}', 1, 14, '[ is never closed; end it with ]'],
    ['{% include "/etc/passwd" %}', 1, 1, /^include is not a known tag/],
    ['{% render "x" %}', 1, 1, /^render is not a known tag/],
    ['{% layout "x" %}', 1, 1, /^layout is not a known tag/],
    ['{% for x in y %}', 1, 1, '{% for %} is never closed; end it with {% endfor %}'],
    [
      '{% for x of y %}{% endfor %}',
      1,
      1,
      '{% for %} must be written like {% for item in event.payload.items %}',
    ],
    ['{% raw %}', 1, 1, '{% raw %} is never closed; end it with {% endraw %}'],
    ['{% if x', 1, 1, '{% is never closed; end it with %}'],
    ['{% endif %}', 1, 1, '{% endif %} closes nothing; remove it, or write {% if … %} before it'],
    ['{% else %}', 1, 1, '{% else %} is outside of {% if %}, {% unless %} and {% case %}'],
    [
      '{% if a %}{% else %}{% else %}{% endif %}',
      1,
      1,
      '{% else %} must come once, as the last part of its {% if %}',
    ],
    ['{% assign = 3 %}', 1, 11, /^\{% assign %\} must be written like/],
    ['{% capture %}{% endcapture %}', 1, 11, /^\{% capture %\} must be written like/],
    ['{% cycle %}', 1, 9, /^\{% cycle %\} must be written like/],
    ['{% if (a %}{% endif %}', 1, 9, /^parentheses are only for ranges/],
  ])('%s is refused with its place, in plain words', (source, line, column, issue) => {
    const [first = ''] = templateIssues(source);
    const place = `has a mistake in line ${line}, column ${column}: `;
    expect(first.slice(0, place.length)).toBe(place);
    expect(first.slice(place.length)).toMatch(issue);
  });

  test('with several values that never exist is refused for each of them', () => {
    expect(
      templateIssues('{{ event.idd }}\n{{ evnt }} {{ event.type }}', { event: { id: null, type: null } }),
    ).toEqual([
      'has a mistake in line 1, column 4: event.idd is not a known value; did you mean id?',
      'has a mistake in line 2, column 4: evnt is not a known value; did you mean event?',
    ]);
  });

  test('is refused when it is too long or nested too deeply', () => {
    expect(templateIssues('x'.repeat(TEMPLATE_MAX))).toEqual([]);
    expect(templateIssues('x'.repeat(TEMPLATE_MAX + 1))).toEqual(['must have at most 16384 characters']);
    const deep = 1_000;
    expect(() => templateIssues('{%if 1%}'.repeat(deep) + '{%endif%}'.repeat(deep))).not.toThrow();
  });
});

/** Makes the CPU clock advance a millisecond whenever it is read: a text is stopped at the hundredth reading, and costs no CPU time. */
function startTicking(): void {
  let ticks = 0;
  vi.spyOn(process, 'threadCpuUsage').mockImplementation((since) => {
    ticks += 1_000;
    return { user: ticks - (since?.user ?? 0), system: 0 };
  });
}

afterEach(() => void vi.restoreAllMocks());

describe('a bomb ends within its limits', () => {
  beforeEach(startTicking);

  const TIME = /takes longer than 100 ms/;
  const MEMORY = /renders too much text or too many items, alone or together with the other texts/;

  // Each is stopped by the limit that is meant for it.
  test.each<[string, RegExp, string]>([
    ['a range', MEMORY, '{% for i in (1..100000000) %}{% endfor %}'],
    [
      'nested loops',
      TIME,
      '{% for i in (1..9999) %}{% for j in (1..9999) %}{% for k in (1..9) %}x{% endfor %}{% endfor %}{% endfor %}',
    ],
    [
      'a text that doubles',
      MEMORY,
      `{% assign a = "xxxxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(60)}{{ a }}`,
    ],
    [
      'a capture that doubles',
      MEMORY,
      `{% assign a = "xxxxxxxxxx" %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(60)}{{ a }}`,
    ],
    ['a literal in a loop', MEMORY, `{% for i in (1..90000) %}${'x'.repeat(10_000)}{% endfor %}`],
    ['a width', /widths below 100/, '{{ "now" | date: "%900000000d" }}'],
    [
      'a replacement',
      MEMORY,
      `{% assign a = "${'x'.repeat(2_000)}" %}{{ a | replace: "x", a | replace: "x", a | replace: "x", a }}`,
    ],
    [
      'a split and a join',
      MEMORY,
      `{% assign a = "${'x'.repeat(5_000)}" | split: "" %}{{ a | join: a | join: a | join: a }}`,
    ],
    [
      'a capture of the marks of captures',
      /longer than 65536 characters/,
      `{% capture x %}{% for i in (1..20) %}${'\uFDD0'.repeat(16_000)}{% endfor %}{% endcapture %}{{ x }}`,
    ],
    [
      'a large output',
      /longer than 65536 characters/,
      `{% for i in (1..8) %}${'x'.repeat(RENDERED_MAX / 8)}{% endfor %}x`,
    ],
  ])('%s', (_, error, source) => {
    const rendered = renderTemplate(source, { ...scope });
    expect(rendered).toEqual({ ok: false, error: expect.stringMatching(error) as string });
  });

  test('and so does a payload that is a bomb', () => {
    const payload = { big: 'x'.repeat(1_000_000), many: Array.from({ length: 300_000 }, (_, i) => i) };
    for (const source of [
      '{{ event.payload }}',
      '{{ event.payload.big }}',
      '{{ event.payload.many | join: "," }}',
    ])
      expect(renderTemplate(source, { event: { payload } }).ok).toBe(false);
    expect(renderTemplate('{{ event.payload.big | truncate: 10 }}', { event: { payload } })).toEqual({
      ok: true,
      text: 'xxxxxxx...',
    });
  });
});

describe('JSON with templates', () => {
  test('is filled text by text: a value never adds a field', () => {
    const tree = [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: 'By {{ event.summary.actor.name }}: {{ event.payload.title }}' },
      },
      3,
      null,
    ];
    const rendered = renderTree(tree, { ...scope }, (_, parent) =>
      'type' in parent && parent.type === 'mrkdwn' ? 'mrkdwn' : 'none',
    );
    expect(rendered).toEqual({
      ok: true,
      value: [
        { type: 'section', text: { type: 'mrkdwn', text: 'By mona: &lt;!channel&gt; *hi* &amp; "you"' } },
        3,
        null,
      ],
    });
  });

  test('names the path of every fault', () => {
    expect(
      treeFaults(
        { blocks: [{ text: '{{ a' }, { text: 'ok' }, { text: '{{ b | nope }}' }] },
        { path: 'body' },
      ),
    ).toEqual([
      { field: 'body.blocks[0].text', issue: expect.stringMatching(/line 1, column 1: .*never closed/) },
      { field: 'body.blocks[2].text', issue: expect.stringMatching(/nope is not a known filter/) },
    ]);
  });

  test('is bounded as a whole', () => {
    const tree = Array.from({ length: 10 }, () => 'x'.repeat(TEMPLATE_MAX));
    expect(renderTree(tree, { ...scope })).toEqual({ ok: false, error: expect.stringMatching(/131072/) });
  });
});

describe('the texts that are filled from the same values', () => {
  const w = 'abcdefghij'.repeat(100_000);
  const k = `${'a'.repeat(500)}b${'a'.repeat(500)}`;
  const items = Array.from({ length: 10_001 }, (_, index) => ({ index }));
  const values = () => ({ event: { payload: { w, k, items, a: 'a'.repeat(1_000_000) } } });

  test.each([
    [
      '{{ event.payload.w | slice: 0, 300000 | split: "" | sort_natural | size }}',
      /split takes strings of at most 131072/,
    ],
    [
      '{{ event.payload.w | slice: 0, 99999 | split: "" | sort_natural | size }}',
      /sort_natural takes lists of at most 10000/,
    ],
    ['{{ event.payload.items | where: "index", 5 | size }}', /where takes lists of at most 10000/],
    ['{{ event.payload.a | replace: event.payload.k, "" }}', /replace takes a shorter text/],
    ['{{ event.payload.w | sample }}', /sample takes at most 10000/],
    ['{% if event.payload.a contains event.payload.k %}{% endif %}', /contains takes a shorter text/],
    [
      `{% capture x %}{% for i in (1..90000) %}${'literally'.repeat(1000)}{% endfor %}{% endcapture %}{{ x | size }}`,
      /too much/,
    ],
  ])('%s is refused before it is run', (source, error) => {
    expect(renderTemplate(source, values())).toEqual({
      ok: false,
      error: expect.stringMatching(error) as string,
    });
  });

  test('share a budget, and after it is spent none is filled', () => {
    startTicking();
    const shared = values();
    const bomb = '{% for i in (1..1000) %}{{ event.payload.w | size }}{% endfor %}';
    for (let count = 0; count < 10; count += 1) expect(renderTemplate(bomb, shared).ok).toBe(false);
    expect(renderTemplate('{{ event.payload.w | size }}', shared)).toEqual({
      ok: false,
      error: expect.stringMatching(/together with the other texts/) as string,
    });
    expect(renderTemplate('{{ event.payload.w | size }}', values())).toEqual({ ok: true, text: '1000000' });
  });
});
