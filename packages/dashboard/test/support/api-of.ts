import { Hubline } from '@hubline/sdk';
import { nodeTransport } from '@hubline/sdk/node';
import type { TestServer } from './start-server.ts';

/** A client for the API of a server, with the owner's key, as a program beside the dashboard uses it. */
export function apiOf({ apiKey, baseUrl: baseURL }: TestServer): Hubline {
  return new Hubline({ apiKey, baseURL, transport: nodeTransport(), dangerouslyAllowBrowser: true });
}
