import { readPointer } from '../../../domain/json/json-pointer.ts';

/**
 * Reports whether an event is about a comment that the token's own bot wrote alone. Without this check, a notification
 * would come back as an event and cause another notification, in an endless loop.
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
