/** What the first call loads. Nothing that is imported before may import from here. */
export { followEvents } from './follow-events.ts';
export { open, readPieces, requestJSON, requestPage } from './perform.ts';
