/** How a price is compared; `crosses…` waits for the crossing itself. */
export type Side = 'above' | 'below' | 'crosses-above' | 'crosses-below';

/** Crossings come first, because `crosses above` contains `above`. */
const WORDS: readonly (readonly [Side, string])[] = [
  [
    'crosses-below',
    String.raw`(?:cross(?:es|ing)?|breaks?|breaking) (?:below|under|down(?: through)?)|하향 ?(?:돌파|이탈)|이탈|붕괴|깨(?=지|질|면)|깨짐`,
  ],
  [
    'crosses-above',
    String.raw`(?:cross(?:es|ing)?|breaks?|breaking) (?:above|over|up(?: through)?|out(?: above)?)|(?:상향 ?)?돌파`,
  ],
  [
    'below',
    String.raw`<=|=<|≤|<|(?:(?:is|goes|falls|drops|gets|trades|to) )?(?:below|under|at most|lower than|less than)|(?:falls|drops|down) to|이하|미만|아래|밑|하회`,
  ],
  [
    'above',
    String.raw`>=|=>|≥|>|(?:(?:is|goes|rises|climbs|gets|trades|to) )?(?:above|over|at least|higher than|more than|greater than)|(?:rises|climbs|up) to|이상|초과|넘|위|상회|웃돌`,
  ],
];

export const SIDES = WORDS.map(([, words]) => words).join('|');

const PARTICLE = '까지|으로|로|을|를|이|가|은|는|선을?|대';
/** A word must be separate; a sign may touch the name: `AAPL>200`. */
const AT_END = WORDS.map(
  ([side, words]) =>
    [side, new RegExp(`^(?<head>.*?)(?:(?<!\\S)|(?=[<>=≥≤]))(?:${words}) ?$`, 'isu')] as const,
);
/** Korean comparisons have endings: `이상이면`, `아래로 떨어지면`. */
const AT_START = WORDS.map(
  ([side, words]) =>
    [side, new RegExp(`^ ?(?:${PARTICLE})? ?(?:${words})(?:[가-힣 ]{0,14})$`, 'isu')] as const,
);

const UP =
  /오르|오른|올라|상승|급등|뛰|\b(?:up|rises?|gains?|jumps?|climbs?|rall(?:y|ies)|increases?|plus)\b/iu;
const DOWN =
  /내리|내린|내려|하락|급락|떨어|빠지|\b(?:down|drops?|falls?|loses?|declines?|decreases?|minus|dips?)\b/iu;
const EITHER = /변동|움직|등락|either|both|\b(?:moves?|changes?|swings?)\b/iu;

export const directionIn = (words: string): 'up' | 'down' | 'either' | undefined => {
  if (EITHER.test(words) || (UP.test(words) && DOWN.test(words))) return 'either';
  if (UP.test(words)) return 'up';
  return DOWN.test(words) ? 'down' : undefined;
};

const ANY_MOVE = `(?:${UP.source}|${DOWN.source}|${EITHER.source})`;
const MOVES = `${ANY_MOVE}(?: or ${ANY_MOVE})? ?(?:by|of|in either direction|at least|more than|over)? ?`;
const MOVE_AT_END = new RegExp(`^(?<head>.*?\\s)(?<words>${MOVES})$`, 'isu');
const MOVE_AT_START = new RegExp(
  `^ ?(?:이상|넘게|or more|or so)? ?(?:in either direction|either way|양방향)? ?(?:${ANY_MOVE}(?: or ${ANY_MOVE})?[가-힣 ]{0,10}|(?:or more|in either direction|either way|양방향))?$`,
  'isu',
);
/** `reaches 200`, `= 200`: the side depends on the current price. */
const REACHES = /^(?<head>.*?)(?:\s(?:reaches|hits|touches|crosses|breaks|at)|=) ?$/isu;
const REACHED = /^ ?(?:까지|에|을|를|이|가)? ?(?:도달|닿|되)[가-힣 ]{0,8}$/u;

interface Before {
  readonly head: string;
  readonly side?: Side;
  /** For a change, the words that give its direction. */
  readonly words: string;
}

/** The comparison at the end of the text, and the text before it. */
export const sideBefore = (text: string, isPercent = false): Before | undefined => {
  if (isPercent) {
    const move = MOVE_AT_END.exec(text)?.groups;
    if (move) return { head: move['head'] ?? '', words: move['words'] ?? '' };
  }
  for (const [side, pattern] of AT_END) {
    const head = pattern.exec(text)?.groups?.['head'];
    if (head !== undefined) return { head, side, words: '' };
  }
  return { head: REACHES.exec(text)?.groups?.['head'] ?? text, words: '' };
};

interface After {
  readonly rest: string;
  readonly side?: Side;
  readonly words: string;
}

/** The comparison behind a number; `rest` is the part that could not be read. */
export const sideAfter = (text: string, isPercent = false): After | undefined => {
  if (text.trim() === '') return { rest: '', words: '' };
  if (isPercent && MOVE_AT_START.test(text)) return { rest: '', words: text };
  for (const [side, pattern] of AT_START) if (pattern.test(text)) return { rest: '', side, words: text };
  if (REACHED.test(text)) return { rest: '', words: '' };
  // `8만원까지 오르면`, `200 or more`.
  const direction = /^ ?(?:까지|으로|로) ?\S/u.test(text) ? directionIn(text) : undefined;
  if (direction === 'up') return { rest: '', side: 'above', words: text };
  if (direction === 'down') return { rest: '', side: 'below', words: text };
  if (/^ ?or (?:more|above|higher) ?$/iu.test(text)) return { rest: '', side: 'above', words: '' };
  if (/^ ?or (?:less|below|lower) ?$/iu.test(text)) return { rest: '', side: 'below', words: '' };
  return { rest: text.trim(), words: '' };
};
