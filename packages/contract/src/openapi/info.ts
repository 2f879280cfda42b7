import { LIMITS } from '../constants/limits.ts';

/** Description of the whole API, in Markdown. */
const DESCRIPTION = `
A hub for teams and their tools. Connected tools produce events; you query them here, follow them as a stream, and receive them as
signed webhook calls.

- **Keys.** Send \`Authorization: Bearer hl_…\`. A workspace key is bound to one workspace; a personal key acts in every workspace where its
  user may manage keys. Requests for resources of other workspaces get 404, as if they did not exist.
- **Lists** return \`{data, pagination}\`. They take \`limit\` and \`cursor\`; the last page has \`has_more: false\`.
- **Writes** take an \`Idempotency-Key\`, so that a retry is safe.
- **Errors** have the body \`{error: {code, message, details, request_id}}\`. Retry 429, 500 and 503 with exponential backoff; never retry the others. With
  \`X-Error-Format: flat\` an error has the older form \`{error, message, status_code}\`.
- **Rate limit.** A workspace has ${LIMITS.requestsPerWindow.toLocaleString('en-US')} requests a minute over all its keys. Every response says how many are left.
- **Times** are ISO 8601 in UTC. **IDs** are a prefix and 26 characters, and sort by time of creation.
- A response may gain fields, and an enum in a response may gain values. Ignore what you do not know.
`;

/** The fixed part of the document's `info`. */
export const INFO = {
  summary: 'Workspaces, members, integrations, events and signed webhook calls.',
  description: DESCRIPTION.trim(),
  contact: { name: 'Hubline', url: 'https://www.npmjs.com/package/@hubline/contract' },
  license: { name: 'MIT', identifier: 'MIT' },
};
