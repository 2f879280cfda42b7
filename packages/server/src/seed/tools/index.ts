import type { ToolMoment, Tool, ToolCall } from './tool.ts';
import { deploys } from './deploys.ts';
import { github } from './github.ts';
import { linear } from './linear.ts';
import { notion } from './notion.ts';
import { slack } from './slack.ts';

export type { ToolMoment, ToolCall } from './tool.ts';

/** The tools that are connected. */
export const TOOLS = { github, linear, slack, custom: deploys, notion } satisfies Record<string, Tool>;

/** The provider key of a connected tool. */
export type ToolName = keyof typeof TOOLS;

const SHARES: readonly (readonly [number, ToolName])[] = [
  [58, 'github'],
  [16, 'custom'],
  [13, 'linear'],
  [10, 'slack'],
  [3, 'notion'],
];

/** Makes something happen in one of the tools, each as often as in a software team. */
export function happen(moment: ToolMoment): { tool: ToolName; call: ToolCall } {
  const tool = moment.random.weighted(SHARES);
  return { tool, call: TOOLS[tool](moment) };
}
