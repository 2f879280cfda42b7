/** Text that is printed as it is, whatever the format: a document that the server has made already. */
export class RawText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
