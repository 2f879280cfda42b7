/** jq 1.7, compiled to WebAssembly; the package has no types of its own. */
declare module 'jq-web' {
  interface Jq {
    /** Runs a program over JSON texts with the flags of the command line. Throws when jq ends with an error. */
    raw(json: string, program: string, flags: readonly string[]): string;
  }
  const loading: Promise<Jq>;
  export default loading;
}
