import { Hubline } from '@hubline/sdk';
import { nodeTransport } from '@hubline/sdk/node';
import type { Place } from './start-server.ts';

/** The API of a server as a program uses it, with the owner's key, beside the dashboard in its browser. */
export function apiOf({ apiKey, baseUrl: baseURL }: Place): Hubline {
  return new Hubline({ apiKey, baseURL, transport: nodeTransport(), dangerouslyAllowBrowser: true });
}
