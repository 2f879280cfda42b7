/**
 * An email was not sent. The message quotes nothing of the mail server's answer, which may quote the mail, and leaves its name out: members
 * of workspaces read it, too.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** True if the mail server refused this mail, and would refuse it again. */
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
