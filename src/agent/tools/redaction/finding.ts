/** `[from, to)` of a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What is to be masked, and what stands in its place. */
export interface Finding extends Range {
  readonly mask: string;
}
