import { describe, expect, it } from 'vitest';
import { useAutomations } from './use-automations.ts';

const hub = useAutomations();
const { here } = hub;

describe('an automation that cannot run is refused, with the path of the mistake', () => {
  const wait = { type: 'wait', seconds: 1 };
  // Each takes some 20 ms.
  const costly = { field: 'event.type', op: 'matches', value: '(?i)[a-\\x{FFFF}]'.repeat(8) };
  it.each<[string, object, number, string, RegExp]>([
    [
      'an unknown action',
      { actions: [wait, { type: 'nope' }] },
      400,
      'actions[1].type',
      /must be one of send_not/,
    ],
    [
      'an action without its type, whose other fields are no text',
      { actions: [{ integration_id: {}, template_id: {}, webhook_id: [3], text: {}, url: {}, if: 3 }] },
      400,
      'actions[0].type',
      /must be one of send_not/,
    ],
    [
      'a mistyped field',
      { actions: [{ type: 'wait', second: 5 }] },
      400,
      'actions[0].second',
      /did you mean seconds/,
    ],
    [
      'a field of another action',
      { actions: [{ type: 'wait', seconds: 5, url: 'https://example.com' }] },
      400,
      'actions[0].url',
      /^is not a known field; the known ones are type, id, if, seconds$/,
    ],
    [
      'an input outside of `input`',
      { actions: [{ type: 'slack.post_message', integration_id: 'int_x', text: 'Hi' }] },
      400,
      'actions[0].text',
      /the known ones are .*integration_id, input$/,
    ],
    [
      'two equal IDs',
      {
        actions: [
          { ...wait, id: 'x' },
          { ...wait, id: 'x' },
        ],
      },
      400,
      'actions[1].id',
      /is also the ID of actions\[0\]/,
    ],
    [
      'a template that does not parse',
      { actions: [{ type: 'create_event', event_type: 'x', payload: { a: ['{{ x'] } }] },
      400,
      'actions[0].payload.a[0]',
      /\{\{ is never closed; end it with \}\}/,
    ],
    [
      'patterns that take too long to compile',
      { conditions: { any: [costly, costly] } },
      400,
      'conditions',
      /^must have fewer patterns with Unicode classes/,
    ],
    [
      'patterns that take too long to compile in all steps together',
      { actions: Array.from({ length: 7 }, () => ({ ...wait, if: costly })) },
      400,
      'actions[6].if',
      /^must have fewer patterns with Unicode classes/,
    ],
    [
      'a condition on an unknown root',
      { conditions: { all: [{ field: 'x', op: 'exists' }] } },
      400,
      'conditions.all[0].field',
      /begin with/,
    ],
    [
      'a condition of a step on an unknown root',
      { actions: [{ ...wait, if: { field: 'x', op: 'exists' } }] },
      400,
      'actions[0].if.field',
      /steps/,
    ],
    [
      'a mistyped value',
      { actions: [{ type: 'create_event', event_type: 'x', payload: { a: ['{{ evnt.id }}'] } }] },
      400,
      'actions[0].payload.a[0]',
      /^has a mistake in line 1, column 4: evnt is not a known value; did you mean event\?$/,
    ],
    [
      'a step that is not there',
      {
        actions: [
          { ...wait, id: 'first' },
          { type: 'create_event', event_type: 'x', payload: { a: '{{ steps.frist.output.id }}' } },
        ],
      },
      400,
      'actions[1].payload.a',
      /steps\.frist is not a known earlier action; did you mean first\?/,
    ],
    [
      'a step that comes later',
      { actions: [{ ...wait, if: { field: 'steps.a2.status', op: 'exists' } }, wait] },
      400,
      'actions[0].if.field',
      /^leads nowhere: steps\.a2 names an earlier action, but none comes before this one$/,
    ],
    [
      'a value of the steps in the concurrency key',
      { concurrency_key: '{{ steps.a1.status }}' },
      400,
      'concurrency_key',
      /steps is not a known value/,
    ],
    [
      'a mistyped value in a condition',
      { conditions: { field: 'event.sumary.severity', op: 'eq', value: 'high' } },
      400,
      'conditions.field',
      /event\.sumary is not a known value; did you mean summary\?/,
    ],
    [
      'a cron expression out of range',
      { trigger: { event: 'schedule', cron: '0 25 * * *' } },
      400,
      'trigger.cron',
      /five fields/,
    ],
    [
      'a cron expression with seconds',
      { trigger: { event: 'schedule', cron: '* * * * * *' } },
      400,
      'trigger.cron',
      /five fields/,
    ],
    [
      'an unknown time zone',
      { trigger: { event: 'schedule', cron: '0 9 * * *', timezone: 'Mars/Base' } },
      400,
      'trigger.timezone',
      /IANA/,
    ],
    ['a trigger without its field', { trigger: { event: 'schedule' } }, 400, 'trigger.cron', /required/],
    [
      'a field of another trigger',
      { trigger: { event: 'manual', types: ['x'] } },
      400,
      'trigger.types',
      /does not apply/,
    ],
    [
      'a private address',
      { actions: [{ type: 'call_webhook', url: 'https://10.0.0.1/x' }] },
      422,
      'actions[0].url',
      /public/,
    ],
    [
      'a header that the server sets',
      { actions: [{ type: 'call_webhook', url: 'https://example.com', headers: { Host: 'x' } }] },
      400,
      'actions[0].headers.Host',
      /set by the server/,
    ],
    [
      'a template in a header',
      {
        actions: [
          { type: 'call_webhook', url: 'https://example.com', headers: { 'X-A': '{{ event.payload.hdr }}' } },
        ],
      },
      400,
      'actions[0].headers.X-A',
      /not a template.*payload/,
    ],
    [
      'a template in a URL',
      { actions: [{ type: 'call_webhook', url: 'https://example.com/{{ event.id }}' }] },
      400,
      'actions[0].url',
      /not a template.*payload/,
    ],
    [
      'a header that is given twice',
      {
        actions: [{ type: 'call_webhook', url: 'https://example.com', headers: { 'x-a': '1', 'X-A': '2' } }],
      },
      400,
      'actions[0].headers.X-A',
      /twice/,
    ],
    [
      'a number that would be rounded',
      {
        actions: [{ type: 'create_event', event_type: 'x', payload: { ids: [12_345_678_901_234_567_000] } }],
      },
      400,
      'actions[0].payload.ids[0]',
      /beyond 2\^53/,
    ],
    ['no actions', { actions: [] }, 400, 'actions', /at least one/],
    ...['x'.repeat(16_000), 'é'.repeat(8_000)].map((t): [string, object, 400, string, RegExp] => [
      `actions of more than 64 KiB, of ${t.slice(0, 1)}`,
      {
        actions: Array.from({ length: 5 }, () => ({
          type: 'create_event',
          event_type: 'x',
          payload: { t },
        })),
      },
      400,
      'actions',
      /64 KiB/,
    ]),
  ])('%s', async (_, body, code, field, issue) => {
    const refusal = await hub.workspace.api.refused('automations.create', code, {
      ...here(),
      body: { name: 'A', trigger: { event: 'manual' }, actions: [wait], ...body },
    });
    expect(refusal.details).toContainEqual({ field, issue: expect.stringMatching(issue) as string });
  });
});

it('everything that is wrong is named in one response: mistakes of form, of templates and conditions, and unknown references', async () => {
  const integration = 'int_00000000000000000000000000';
  const template = 'ntp_00000000000000000000000000';
  const { details } = await hub.workspace.api.refused('automations.create', 400, {
    ...here(),
    body: {
      name: '',
      trigger: { event: 'schedule', types: 'push', timezone: 'Mars/Base' },
      conditions: {
        all: [
          { field: 'event.sumary', op: 'exists' },
          { field: 'event.type', op: 'in', value: 'push' },
        ],
      },
      concurrency_key: '{{ x',
      actions: [
        {
          type: 'create_event',
          event_type: 'x',
          payload: { a: '{{ evnt }} {{ event.idd }}' },
          retries: 'no',
        },
        { type: 'send_notification', integration_id: integration, template_id: template },
        { type: 'call_webhook', url: 'https://10.0.0.1', headers: { Host: 'x', 'a b': 'y' } },
        { type: 'wait' },
      ],
    },
  });
  expect(details?.map(({ field }) => field).toSorted()).toEqual([
    'actions[0].payload.a',
    'actions[0].payload.a',
    'actions[0].retries',
    'actions[1].integration_id',
    'actions[1].template_id',
    'actions[2].headers.Host',
    'actions[2].headers.a b',
    'actions[2].url',
    'actions[3].seconds',
    'concurrency_key',
    'conditions.all[0].field',
    'conditions.all[1].value',
    'name',
    'trigger.cron',
    'trigger.timezone',
    'trigger.types',
    'trigger.types',
  ]);
});

it('a mistake is reported without others that only follow from it', async () => {
  for (const [part, field] of [
    [{ conditions: { all: 'x' } }, 'conditions.all'],
    [{ conditions: [] }, 'conditions'],
    [{ actions: ['x'] }, 'actions[0]'],
    [{ trigger: { event: 'nope', cron: 'x' } }, 'trigger.event'],
  ] as const) {
    const body = {
      name: 'A',
      trigger: { event: 'manual' },
      actions: [{ type: 'wait', seconds: 1 }],
      ...part,
    };
    const { details } = await hub.workspace.api.refused('automations.create', 400, { ...here(), body });
    expect(details?.map((detail) => detail.field)).toEqual([field]);
  }
});

it('references to things that do not exist are 404, and each is named', async () => {
  const ids = ['int_00000000000000000000000000', 'int_00000000000000000000000001'];
  const { details } = await hub.workspace.api.refused('automations.create', 404, {
    ...here(),
    body: {
      name: 'A',
      trigger: { event: 'event.created', integration_ids: ids },
      actions: [{ type: 'wait', seconds: 1 }],
    },
  });
  expect(details).toEqual([
    { field: 'trigger.integration_ids[0]', issue: 'names no such integration' },
    { field: 'trigger.integration_ids[1]', issue: 'names no such integration' },
  ]);
});
