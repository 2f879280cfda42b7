/** Other runtimes have no cheaper way than their `fetch`. */
export const sendBesideFetch = (): undefined => undefined;
