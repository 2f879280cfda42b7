/** A sender thread that cannot start. */
throw new Error('no such program');
