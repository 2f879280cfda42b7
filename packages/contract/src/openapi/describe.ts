import type { Endpoint, FurtherScope } from '../endpoint.ts';
import { PERMISSIONS, ROLES } from '../constants/roles.ts';

/** The description of an operation: the text of its row, then sentences that follow from its other fields. */
export function describe(row: Endpoint): string {
  return [row.description, ...deprecationNotice(row), access(row), ...generalNotes(row)].join('\n\n');
}

function deprecationNotice({ deprecated }: Endpoint): string[] {
  if (!deprecated) return [];
  const { since, sunset, instead } = deprecated;
  return [`Deprecated since ${since}; may be removed from ${sunset} on. ${instead}`];
}

function access({ access }: Endpoint): string {
  if (access.kind === 'public') return 'Needs no API key: the request carries its own proof.';
  if (access.kind === 'optional')
    return `Needs no API key from a new user. A key that is sent must be a personal one with the scope \`${access.scope}\`.`;
  const scope = access.scope === null ? '' : ` with the scope \`${access.scope}\``;
  if (access.kind === 'workspace') {
    const roles = PERMISSIONS[access.permission];
    const role = roles.length === ROLES.length ? 'any role' : `the role ${either(roles)}`;
    return `Needs an API key${scope}${further(access.also)} that acts with ${role} in the workspace.`;
  }
  return `Needs ${access.personal ? 'a personal' : 'an'} API key${scope}.`;
}

/** The second scope, and the requests that need it. */
function further(also: FurtherScope | undefined): string {
  if (!also) return '';
  const { scope, having, lacking } = also;
  const field = having ?? lacking;
  if (field === undefined) return ` and \`${scope}\``;
  return ` and, ${having === undefined ? 'without' : 'with'} \`${field}\` in the body, \`${scope}\``;
}

function generalNotes({ write, query, secret }: Endpoint): string[] {
  const notes: string[] = [];
  if (query && 'cursor' in query.shape) {
    notes.push(
      'Returns one page. Pass its `pagination.next_cursor` as `cursor` to get the next one, until `has_more` is false.',
    );
  }
  if (secret === 'once') notes.push('The response shows a secret that cannot be read again. Keep it.');
  if (write) {
    notes.push(
      'With an `Idempotency-Key`, a repeated request changes nothing and gets the first response again.',
    );
  }
  return notes;
}

/** `owner`, `owner or admin`, `owner, admin or member`. */
function either(words: readonly string[]): string {
  const [last = '', ...others] = words.map((word) => `\`${word}\``).toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
}
