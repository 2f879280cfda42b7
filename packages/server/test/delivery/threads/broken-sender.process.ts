/** The thread of a sender that cannot start. */
throw new Error('no such program');
