/** One item of many that could not be handled; the others go on. */
export class Failure {
  readonly id: string;
  readonly error: { readonly code: string; readonly message: string };

  constructor(id: string, error: { code: string; message: string }) {
    this.id = id;
    this.error = error;
  }
}
