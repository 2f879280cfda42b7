/**
 * Writes a name so that no mail program makes a link of it: whoever names a workspace `https://evil.example` can have invitations
 * sent to strangers. Between the parts of an address stands a sign that nobody sees and that forbids a break.
 */
export const unlinked = (name: string): string => name.replaceAll(/(?<=\S)[.:/@](?=\S)/g, '$&\u2060');
