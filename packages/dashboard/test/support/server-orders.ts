/** An order of a test, and the number of the server that it is for. */
export type Order = { readonly server: number } & (
  | {
      readonly do: 'start';
      readonly dashboard: string;
      /** The owner's password; a server without one waits for its owner. */
      readonly password?: string;
      readonly env?: Record<string, string>;
    }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'stop' }
);

/** A server that has started. */
export interface Started {
  readonly url: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly userId: string;
}

/** A server that waits for its owner. */
export interface Unowned {
  readonly url: string;
  /** The link that makes the first owner. */
  readonly setupUrl: string;
}

/** The reply to the order with this number. */
export interface Reply {
  readonly id: number;
  readonly started?: Started | Unowned | undefined;
  readonly error?: string;
}
