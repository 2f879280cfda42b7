import { readPointer } from '../../../domain/json/json-pointer.ts';
import type { Credentials } from '../../provider.ts';

/**
 * Reports whether an event is about a comment that the token's own bot wrote alone. Without this check, a notification
 * would come back as an event and cause another notification, in an endless loop. While the bot of a token is not known,
 * because the token was never checked, any bot may be it.
 */
export function isOwnComment(payload: unknown, { token, bot_id: botId }: Credentials): boolean {
  const type = readPointer(payload, '/type');
  const authors = readPointer(payload, '/authors');
  if (token === undefined || typeof type !== 'string' || !type.startsWith('comment.')) return false;
  const isOwn = (author: unknown): boolean =>
    botId === undefined ? readPointer(author, '/type') === 'bot' : readPointer(author, '/id') === botId;
  return Array.isArray(authors) && authors.length > 0 && authors.every(isOwn);
}
