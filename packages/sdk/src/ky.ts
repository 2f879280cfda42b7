/** `@hubline/sdk/ky` is the client over `fetch`, sent by ky, in every runtime. */
export { Hubline } from './hubline.ts';
export { kyTransport, type KyTransportOptions } from './transports/ky.ts';
