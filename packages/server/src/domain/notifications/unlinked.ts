/**
 * Writes a name so that no mail program turns it into a link: somebody could name a workspace `https://evil.example` and have invitations
 * sent to strangers. An invisible character that forbids a line break separates the parts of an address.
 */
export const unlinked = (name: string): string => name.replaceAll(/(?<=\S)[.:/@](?=\S)/g, '$&\u2060');
