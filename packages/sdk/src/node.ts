/** `@hubline/sdk/node` is what needs Node's own modules: it is loaded there only. */
export { nodeTransport, type NodeTransportOptions } from './transports/node.ts';
