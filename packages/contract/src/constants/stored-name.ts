/** The form in which a display name is stored: trimmed, and composed as Unicode's NFC. Names are compared in this form. */
export const storedName = (written: string): string => written.trim().normalize('NFC');
