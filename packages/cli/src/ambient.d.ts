/** jq 1.7, compiled to WebAssembly; the package has no types of its own. */
declare module 'jq-web' {
  interface Jq {
    /** Runs a program over JSON texts with the flags of the command line. Throws when jq ends with an error; `undefined` where it prints nothing. */
    raw(json: string, program: string, flags: readonly string[]): string | undefined;
  }
  const loading: Promise<Jq>;
  export default loading;
}
/** JSON.parse source text access. Every Node that we run on has it, but TypeScript's own types do not yet. */
interface JSON {
  /** A value that `JSON.stringify` prints as this text. */
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
/** A server with the S3 API; the package has no types of its own. */
declare module '@20minutes/s3rver' {
  interface Options {
    readonly address: string;
    readonly port: number;
    readonly silent: boolean;
    readonly directory: string;
    readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
  }
  export default class S3rver {
    constructor(options: Options);
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
