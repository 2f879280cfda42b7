/** One try to accept an invitation: docs/decisions/invitations.md has the table that this file is. */
export interface AcceptanceTry {
  /** The inviter has seen a returned link; a mailed one proves the mailbox. */
  readonly link: 'returned' | 'mailed';
  /** What there is of the invited user: nothing that anybody could lose, an account, or one whose mailbox has been proved. */
  readonly account: 'none' | 'unproved' | 'proved';
  /** Whether the caller has proved to be the invited user. A credential of somebody else proves nothing here. */
  readonly caller: 'invited' | 'other' | 'nobody';
  /** Whether no open invitation of the user is older: it is this one that made the user. */
  readonly first: boolean;
  /** Whether a password comes along … */
  readonly password: boolean;
  /** … and is meant to replace whatever an account has: never a mistake of somebody who only wants to log in. */
  readonly takeOver: boolean;
}

/** What a try comes to: the member joins, with or without a first password, or takes the account over; or why not. */
export type Acceptance = 'join' | 'join_with_password' | 'take_over' | AcceptanceRefusal;

/** Why an invitation cannot be accepted in this way. */
export type AcceptanceRefusal =
  /** An account exists: whoever accepts must prove to be its user. */
  | 'log_in'
  /** The same, and somebody else is logged in. */
  | 'someone_else'
  /** The account has a way to log in already: it gets no password by a link. */
  | 'has_account'
  /** Another invitation made the user, and is open still. */
  | 'not_first';

/**
 * Decides what a link may do. A link that the inviter has seen makes nobody log in who has an account, and sets a password only
 * for a user who came to be by this invitation. A mailed one proves the mailbox: it sets a first password, and takes over an
 * account that somebody else may have begun under this address.
 */
export function decideAcceptance({
  link,
  account,
  caller,
  first,
  password,
  takeOver,
}: AcceptanceTry): Acceptance {
  if (caller === 'invited') return password ? 'has_account' : 'join';
  if (account === 'none') {
    if (link === 'returned' && !first) return 'not_first';
    return password ? 'join_with_password' : 'join';
  }
  if (link === 'mailed' && account === 'unproved' && password && takeOver) return 'take_over';
  return caller === 'other' ? 'someone_else' : 'log_in';
}
