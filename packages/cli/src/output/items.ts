/** Text that is printed as it is, whatever the format: a document that the server has made already. */
export class RawText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Bytes that are printed as they are: a file. */
export class RawBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** One item of many that could not be handled; the others continue. */
export class Failure {
  readonly id: string;
  readonly error: { readonly code: string; readonly message: string };

  constructor(id: string, error: { code: string; message: string }) {
    this.id = id;
    this.error = error;
  }
}
