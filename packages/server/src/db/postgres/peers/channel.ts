/** The channel of the hints between the processes of a database. */
export const CHANNEL = 'hubline';

/** The message that rows have changed, which others may have cached; sent with the commit of the change. */
export const CHANGES = 'changes';
