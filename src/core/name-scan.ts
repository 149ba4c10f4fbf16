export interface NameSpan {
  readonly words: readonly string[];
  /** Null: no name begins with this word, which then stands alone. */
  readonly name: string | null;
}

/** `SPDR S&P 500 ETF Trust` has as many. */
export const MAX_NAME_WORDS = 5;

/**
 * Cuts words into names, the longest first: `SK hynix tesla` is two. `nameOf` says what a run of words is called,
 * or null if it is no name.
 */
export const scanNames = (
  words: readonly string[],
  nameOf: (run: readonly string[]) => string | null,
): readonly NameSpan[] => {
  const spans: NameSpan[] = [];
  for (let start = 0; start < words.length; start += spans.at(-1)?.words.length ?? 1) {
    let run = words.slice(start, start + MAX_NAME_WORDS);
    let name = nameOf(run);
    while (name === null && run.length > 1) {
      run = run.slice(0, -1);
      name = nameOf(run);
    }
    spans.push({ words: run, name });
  }
  return spans;
};
