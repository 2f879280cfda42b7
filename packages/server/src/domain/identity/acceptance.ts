/** The facts about a request to accept an invitation. The table in docs/decisions/invitations.md shows every case. */
export interface AcceptanceFacts {
  /** The inviter saw the returned link; the mailed one proves the mailbox. */
  readonly link: 'returned' | 'mailed';
  /** The invited user has no account yet, an account, or an account whose mailbox is proved. */
  readonly account: 'none' | 'unproved' | 'proved';
  /** The caller is the invited user, another user, or unknown. Another user's credential proves nothing here. */
  readonly caller: 'invited' | 'other' | 'nobody';
  /** True if no open invitation of the user is older: this one made the user. */
  readonly first: boolean;
  /** True if the request has a password. */
  readonly password: boolean;
  /** True if the request explicitly asks to replace the password of an account. */
  readonly takeOver: boolean;
}

/** The outcome: the member joins, with or without a first password, takes the account over, or is refused. */
export type Acceptance = 'join' | 'join_with_password' | 'take_over' | AcceptanceRefusal;

/** The reason for a refusal. */
export type AcceptanceRefusal =
  /** An account exists: only its user can accept. */
  | 'log_in'
  /** An account exists, and the caller is somebody else. */
  | 'someone_else'
  /** An account exists: a link sets no password. */
  | 'has_account'
  /** Another invitation, which is still open, made the user. */
  | 'not_first';

/**
 * Decides what a link may do. A link that the inviter saw logs nobody in to an account, and sets a password only for a user whom
 * this invitation made. A mailed link proves the mailbox: it sets a first password, and takes over an account that somebody else
 * may have made under this address.
 */
export function decideAcceptance({
  link,
  account,
  caller,
  first,
  password,
  takeOver,
}: AcceptanceFacts): Acceptance {
  if (caller === 'invited') return password ? 'has_account' : 'join';
  if (account === 'none') {
    if (link === 'returned' && !first) return 'not_first';
    return password ? 'join_with_password' : 'join';
  }
  if (link === 'mailed' && account === 'unproved' && password && takeOver) return 'take_over';
  return caller === 'other' ? 'someone_else' : 'log_in';
}
