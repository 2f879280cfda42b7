import { expect, it } from 'vitest';
import { eventBody, type EventToSend, messageBody, type TriggerMessage, wholeBody } from './envelope.ts';

const AT = '2026-11-02T10:00:00.000Z';
const EVENT: EventToSend = {
  workspaceId: 'ws_1',
  id: 'evt_1',
  type: 'pull_request',
  source: 'github',
  summary: '{"text":"Hi","severity":"none"}',
  occurredAt: AT,
  integrationId: 'int_1',
  provider: 'github',
};

// A retry after an upgrade must send the bytes that the version before has sent: the members stay in their places.
it.each<[string, Partial<EventToSend>, string, string]>([
  [
    'an event of an integration',
    {},
    '{"a":1}',
    `{"id":"del_1","type":"event.created","created_at":"${AT}","workspace_id":"ws_1","data":{"integration_id":"int_1","integration_type":"github","event_source":"github","event_id":"evt_1","event_type":"pull_request","summary":{"text":"Hi","severity":"none"},"payload":{"a":1}},"event":{"id":"evt_1","timestamp":"${AT}"}}`,
  ],
  [
    'an event of the API, whose payload is kept as it was written',
    { integrationId: null, provider: null, source: 'my "app"', type: 'é\n', summary: '{}' },
    '{ "n": 1.0, "n": 12345678901234567890 }',
    `{"id":"del_1","type":"event.created","created_at":"${AT}","workspace_id":"ws_1","data":{"integration_id":null,"integration_type":"api","event_source":"my \\"app\\"","event_id":"evt_1","event_type":"é\\n","summary":{},"payload":{ "n": 1.0, "n": 12345678901234567890 }},"event":{"id":"evt_1","timestamp":"${AT}"}}`,
  ],
])('the bytes of %s', (_, event, payload, bytes) => {
  const bodyOf = eventBody({ ...EVENT, ...event });
  expect(wholeBody(bodyOf('del_1'), payload)).toBe(bytes);
  expect(wholeBody(bodyOf('del_2'), payload)).toBe(bytes.replace('del_1', 'del_2'));
});

it.each<[string, TriggerMessage, string]>([
  [
    'a trigger without an event',
    { type: 'webhook.failing', workspaceId: 'ws_1', occurredAt: AT, data: { webhook_id: 'wh_1', n: null } },
    `{"id":"del_1","type":"webhook.failing","created_at":"${AT}","workspace_id":"ws_1","data":{"webhook_id":"wh_1","n":null},"event":{"id":null,"timestamp":"${AT}"}}`,
  ],
  [
    'one without data',
    { type: 'user.invited', workspaceId: 'ws_1', occurredAt: AT, data: {} },
    `{"id":"del_1","type":"user.invited","created_at":"${AT}","workspace_id":"ws_1","data":{},"event":{"id":null,"timestamp":"${AT}"}}`,
  ],
])('the bytes of %s', (_, message, bytes) => {
  expect(messageBody('del_1', message)).toBe(bytes);
});
