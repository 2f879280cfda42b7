/** The name of the fields of a body whose content belongs to the caller: it is not interpreted, and kept as text. */
export const FREE_FORM = 'payload';
