import { ENGINEERS, REMARKS, WORK } from '../cast.ts';
import { countAt, type ToolMoment, type ToolCall } from './tool.ts';

const TEAMS = [
  { key: 'PAY', name: 'Payments' },
  { key: 'WEB', name: 'Storefront' },
] as const;
const STATES = ['In Progress', 'In Review', 'Done', 'Todo'] as const;

/** Linear: issues that are made and moved, and comments on them. Shapes: linear.app/developers/webhooks. */
export function linear(moment: ToolMoment): ToolCall {
  const { random, now } = moment;
  const team = random.pick(TEAMS);
  const actor = random.pick(ENGINEERS);
  const number = countAt(moment, { from: 1_100, everyMinutes: 70 }) - random.integer(0, 20);
  const identifier = `${team.key}-${number}`;
  const url = `https://linear.app/fernhill/issue/${identifier}`;
  const at = now.toISOString();
  const issue = { id: random.uuid(), identifier, title: random.pick(WORK), team, url };
  const call = {
    createdAt: at,
    webhookTimestamp: now.getTime(),
    organizationId: '5a1e3b0c-72b1-4a34-a6f5-1f5de3ab7c01',
    actor: { id: actor.slack, type: 'user', name: actor.name },
    url,
  };
  const state = { name: random.pick(STATES), type: 'started' };
  const changed = {
    ...issue,
    number,
    state,
    priority: random.weighted([
      [1, 1],
      [4, 2],
      [8, 3],
      [6, 4],
      [6, 0],
    ]),
    assignee: { id: actor.slack, name: actor.name },
    labels: [],
    createdAt: at,
    updatedAt: at,
  };
  const body = random.weighted([
    [
      6,
      {
        ...call,
        type: 'Issue',
        action: 'update',
        data: changed,
        updatedFrom: { updatedAt: at, stateId: random.uuid() },
      },
    ],
    [3, { ...call, type: 'Issue', action: 'create', data: changed }],
    [
      3,
      {
        ...call,
        type: 'Comment',
        action: 'create',
        data: {
          id: random.uuid(),
          body: random.pick(REMARKS),
          issue,
          user: { id: actor.slack, name: actor.name },
          createdAt: at,
          updatedAt: at,
        },
      },
    ],
  ]);
  return { headers: { 'linear-delivery': random.uuid() }, body };
}
