/** The channel on which the processes of a database tell each other something. */
export const CHANNEL = 'hubline';

/** The message that rows have changed, which others may have cached; sent with the commit of the change. */
export const CHANGES = 'changes';
