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
