import { shellSamples } from './shell-samples.ts';

/** The ways to publish an event from a terminal, with the URL of this server, so that they can be pasted as they are. */
export const publishSamples = (workspaceId: string): Readonly<Record<string, string>> =>
  shellSamples({
    url: `${location.origin}/v1/workspaces/${workspaceId}/events`,
    method: 'POST',
    body: '{"type":"deploy","source":"ci","payload":{"service":"web","version":"1.4.2"}}',
  });
