/** The name of the fields of a body whose content belongs to the caller: nobody looks into it, and it is kept as text. */
export const FREE_FORM = 'payload';
