import { readPointer } from '../../../domain/json/json-pointer.ts';

/**
 * Reports whether an event tells of a comment by the bot of the token alone. Without this, a notification would come back as an event,
 * and cause another notification, without end.
 */
export function isOwnComment(payload: unknown, botId: string | undefined): boolean {
  const type = readPointer(payload, '/type');
  const authors = readPointer(payload, '/authors');
  if (botId === undefined || typeof type !== 'string' || !type.startsWith('comment.')) return false;
  return (
    Array.isArray(authors) &&
    authors.length > 0 &&
    authors.every((author) => readPointer(author, '/id') === botId)
  );
}
