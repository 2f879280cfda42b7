import { EVERYONE } from '../cast.ts';
import type { ToolMoment, ToolCall } from './tool.ts';

/** Notion: changes of pages, reported with their IDs only. Shapes: developers.notion.com, "Webhooks". */
export function notion({ random, now }: ToolMoment): ToolCall {
  const type = random.weighted([
    [6, 'page.content_updated'],
    [2, 'page.created'],
    [2, 'page.properties_updated'],
  ]);
  return {
    headers: {},
    body: {
      id: random.uuid(),
      timestamp: now.toISOString(),
      workspace_id: '1782edd6-a853-4d4a-b02c-9c8c16f28e53',
      workspace_name: 'Fernhill',
      type,
      authors: [{ id: random.pick(EVERYONE).slack, type: 'person' }],
      entity: { id: random.uuid(), type: 'page' },
      attempt_number: 1,
      data: { parent: { id: '1782edd6-a853-4d4a-b02c-9c8c16f28e53', type: 'space' } },
    },
  };
}
