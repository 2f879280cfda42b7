/** A test's wish, and the number of the server that it is about. */
export type Order =
  | {
      readonly do: 'start';
      readonly server: number;
      readonly dashboard: string;
      readonly password: string;
      readonly env?: Record<string, string>;
    }
  | { readonly do: 'advance'; readonly server: number; readonly ms: number }
  | { readonly do: 'stop'; readonly server: number };

/** A server that has started. */
export interface Started {
  readonly url: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly userId: string;
}

/** The answer to the order with this number. */
export interface Reply {
  readonly id: number;
  readonly started?: Started | undefined;
  readonly error?: string;
}
