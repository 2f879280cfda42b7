/** The name of a header: a token. RFC 9110, 5.1. */
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** A character that the value of a header must not have: tabs, printable ASCII and the bytes from 128 on are allowed. RFC 9110, 5.5. */
export const NOT_IN_VALUE = /[^\t\x20-\x7E\x80-\xFF]/;
