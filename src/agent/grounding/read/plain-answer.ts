/** The visible words of a Markdown answer. */
export interface PlainAnswer {
  readonly text: string;
  /** The position in the answer of each character of `text`, and of its end. */
  readonly positions: Readonly<ArrayLike<number>>;
}

/** Code, web addresses, words that are struck already, and invisible characters. `break` keeps the lines apart. */
const HIDDEN =
  /(?<break>```[\s\S]*?(?:```|$))|(?<blank>`[^`\n]*`|~~(?!~)[^~\n]{1,80}~~|https?:\/\/[^\s<>)\]|]+|<[^<>\n]{1,200}>)|(?<nothing>\]\([^()\s]*\)|\*\*|__|~~|(?<!\s)\*|\*(?!\s)|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff[\]]|\\(?=[^\w\s]))/gu;

/** Removes markup, so that `**102**,300원` is one number. Code and addresses have no words. */
export const plainAnswer = (answer: string): PlainAnswer => {
  const parts: string[] = [];
  const positions = new Int32Array(answer.length + 1);
  let count = 0;
  const place = (at: number): void => {
    positions[count] = at;
    count += 1;
  };
  const take = (from: number, to: number): void => {
    parts.push(answer.slice(from, to));
    for (let at = from; at < to; at += 1) place(at);
  };
  let from = 0;
  for (const match of answer.matchAll(HIDDEN)) {
    take(from, match.index);
    const stand =
      match.groups?.['break'] === undefined ? (match.groups?.['blank'] === undefined ? '' : ' ') : '\n';
    parts.push(stand);
    if (stand !== '') place(match.index);
    from = match.index + match[0].length;
  }
  take(from, answer.length);
  place(answer.length);
  return { text: parts.join(''), positions: positions.subarray(0, count) };
};
