/**
 * An email was not sent. Members of workspaces read the message too, so it leaves out the mail server's name and its response, which may
 * quote the email.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** True if the mail server refused this email, and would refuse it again. */
  readonly permanent: boolean;
  /** The mail server, for the operator; `null` where none is set. */
  readonly host: string | null;

  constructor(
    message: string,
    { permanent = false, host = null }: Partial<Pick<MailError, 'permanent' | 'host'>> = {},
  ) {
    super(message);
    this.permanent = permanent;
    this.host = host;
  }
}
