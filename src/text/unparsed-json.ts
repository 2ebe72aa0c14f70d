/**
 * A value as the JSON text that it is, in UTF-8: too large to be parsed by whoever only hands it on. Its own type, so that
 * nobody takes it for bytes that are the value.
 */
export class UnparsedJson {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** For whoever needs to look at it after all. */
  parse(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }
}
