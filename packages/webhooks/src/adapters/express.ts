/**
 * The receiver for Express 4 and 5. Their requests are Node's, so it is the one of `@hubline/webhooks/node`. It reads the raw
 * body itself: mount it before `express.json()`, or let it keep the bytes in `rawBody`, with its option `verify`.
 */
export { webhook } from './node.ts';
