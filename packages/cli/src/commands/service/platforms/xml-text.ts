const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text of an element or an attribute. */
export const xmlText = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => ENTITIES[each] ?? each);
