import { ENGINEERS, REPOSITORIES } from '../cast.ts';
import type { ToolMoment, ToolCall } from './tool.ts';

const REGIONS = ['eu-west', 'us-east', 'ap-south'] as const;
const REASONS = ['health checks failed', 'a migration took too long', 'the image was not found'] as const;

/** The company's own deploy tool, connected by a custom integration: its calls have a form of their own. */
export function deploys({ random, now }: ToolMoment): ToolCall {
  const service = random.pick(REPOSITORIES);
  const region = random.pick(REGIONS);
  const version = `${now.toISOString().slice(0, 10).replaceAll('-', '.')}-${random.integer(1, 9)}`;
  const actor = random.pick(ENGINEERS);
  const happened = random.weighted([
    [10, 'deploy.started'],
    [9, 'deploy.finished'],
    [1, 'deploy.failed'],
  ]);
  const message = {
    'deploy.started': `${service} ${version} is rolling out to ${region}`,
    'deploy.finished': `${service} ${version} is live in ${region}`,
    'deploy.failed': `${service} ${version} was rolled back in ${region}: ${random.pick(REASONS)}`,
  }[happened];
  return {
    headers: { 'content-type': 'application/json' },
    body: {
      id: `dep_${random.hex(12)}`,
      event: happened,
      message,
      project: service,
      version,
      region,
      actor: { id: actor.login, name: actor.name },
      severity: happened === 'deploy.failed' ? 'high' : 'info',
      duration_seconds: happened === 'deploy.started' ? null : random.integer(38, 210),
      url: `https://deploys.fernhill.example/${service}/${version}`,
      timestamp: now.toISOString(),
    },
  };
}
