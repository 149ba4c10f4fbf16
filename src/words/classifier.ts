/** Tells what a message asks for by the examples that it resembles most: cosine over weighted pieces of their spelling. */

export interface Example {
  readonly action: string;
  /** With slots in place of values: `{name} 얼마야`. */
  readonly text: string;
}

export interface Guess {
  readonly action: string;
  /** From 0 to 1, which is the text of several examples. */
  readonly score: number;
}

const BUCKETS = 1 << 17;
const PRIME = 0x01_00_01_93;
/** The longest pieces in characters, and in the letters of Hangul, which forgive endings and typos. */
const CHARACTERS = { from: 1, to: 4 };
const LETTERS = { from: 4, to: 5 };
/** A longer text is no plain wish. */
const MAX_TEXT = 300;
const SLOT = /\{[a-z]+\}/gu;
const FIRST_SLOT = 0xe0_00;
/** What the nearest examples of an action count. */
const NEAREST = [0.6, 0.2, 0.2];

const slots = new Map<string, string>();
/** A slot is one character, so that it weighs as much as a letter beside it. */
const characterOf = (slot: string): string =>
  slots.getOrInsertComputed(slot, () => String.fromCharCode(FIRST_SLOT + slots.size));

/** Case, width, blanks, drawn-out letters and punctuation say nothing. */
export const plainOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .slice(0, MAX_TEXT)
    .replaceAll(SLOT, characterOf)
    .replaceAll(/[^\p{L}\p{N}\p{Co}%#+&]+/gu, ' ')
    .replaceAll(/(.)\1{2,}/gu, '$1$1')
    .trim();

interface Pieces {
  /** Each piece once. */
  readonly ids: readonly number[];
  readonly counts: readonly number[];
}

/** How often each place of the table is counted in the text that is read now. */
const seen = new Uint16Array(BUCKETS);

const piecesOf = (text: string): Pieces => {
  const ids: number[] = [];
  const add = (written: string, { from, to }: typeof CHARACTERS): void => {
    for (let start = 0; start < written.length; start += 1) {
      let hash = from;
      for (let at = start; at < Math.min(start + to, written.length); at += 1) {
        hash = Math.imul(hash ^ written.charCodeAt(at), PRIME);
        if (at - start + 1 < from) continue;
        const id = (hash ^ (hash >>> 15)) & (BUCKETS - 1);
        if (seen[id] === 0) ids.push(id);
        seen[id] = (seen[id] ?? 0) + 1;
      }
    }
  };
  const written = ` ${plainOf(text)} `;
  add(written, CHARACTERS);
  const letters = written.normalize('NFD');
  if (letters.length > written.length) add(letters, LETTERS);
  const counts = ids.map((id) => seen[id] ?? 0);
  for (const id of ids) seen[id] = 0;
  return { ids, counts };
};

export interface Classifier {
  /** All actions, the nearest first. */
  readonly rank: (text: string) => readonly Guess[];
}

const weighted = ({ ids, counts }: Pieces, weights: Float32Array): readonly number[] => {
  const raw = ids.map((id, at) => Math.sqrt(counts[at] ?? 0) * (weights[id] ?? 0));
  const norm = Math.sqrt(raw.reduce((sum, each) => sum + each * each, 0)) || 1;
  return raw.map((each) => each / norm);
};

/** Examples of one action stand together. Yields between them, because some thousand take a while. */
export const buildClassifier = function* (
  examples: readonly Example[],
): Generator<undefined, Classifier, undefined> {
  const actions = [...new Set(examples.map(({ action }) => action))];
  const actionOf = Int32Array.from(examples, ({ action }) => actions.indexOf(action));
  const all: Pieces[] = [];
  const actionsWith = new Uint16Array(BUCKETS);
  const examplesWith = new Int32Array(BUCKETS + 1);
  const lastWith = new Int32Array(BUCKETS).fill(-1);
  for (const [index, { text }] of examples.entries()) {
    const pieces = piecesOf(text);
    all.push(pieces);
    const action = actionOf[index] ?? 0;
    for (const id of pieces.ids) {
      examplesWith[id] = (examplesWith[id] ?? 0) + 1;
      if (lastWith[id] === action) continue;
      lastWith[id] = action;
      actionsWith[id] = (actionsWith[id] ?? 0) + 1;
    }
    yield;
  }
  // A piece tells more, the fewer actions have it. One that no example has tells that the text is about something else.
  const weights = Float32Array.from(
    actionsWith,
    (count) => Math.log(1 + actions.length / Math.max(1, count)) ** 2,
  );
  // The places of each piece in one list: those of piece `id` begin at `from[id]`.
  const from = new Int32Array(BUCKETS + 1);
  for (let id = 0; id < BUCKETS; id += 1) from[id + 1] = (from[id] ?? 0) + (examplesWith[id] ?? 0);
  const free = from.slice();
  const indexes = new Int32Array(from[BUCKETS] ?? 0);
  const shares = new Float32Array(indexes.length);
  for (const [index, pieces] of all.entries()) {
    const values = weighted(pieces, weights);
    for (const [at, id] of pieces.ids.entries()) {
      const place = free[id] ?? 0;
      free[id] = place + 1;
      indexes[place] = index;
      shares[place] = values[at] ?? 0;
    }
    yield;
  }
  return {
    rank: (text) => {
      const scores = new Float32Array(examples.length);
      const pieces = piecesOf(text);
      const values = weighted(pieces, weights);
      for (const [at, id] of pieces.ids.entries())
        for (let place = from[id] ?? 0; place < (from[id + 1] ?? 0); place += 1) {
          const index = indexes[place] ?? 0;
          scores[index] = (scores[index] ?? 0) + (values[at] ?? 0) * (shares[place] ?? 0);
        }
      const best = actions.map((): number[] => []);
      for (const [index, score] of scores.entries()) {
        const nearest = best[actionOf[index] ?? 0];
        if (!nearest || score <= (nearest[NEAREST.length - 1] ?? 0)) continue;
        nearest.push(score);
        nearest.sort((a, b) => b - a).splice(NEAREST.length);
      }
      const scoreOf = (nearest: readonly number[] = []): number =>
        NEAREST.reduce((sum, share, place) => sum + share * (nearest[place] ?? 0), 0);
      return actions
        .map((action, index) => ({ action, score: scoreOf(best[index]) }))
        .toSorted((a, b) => b.score - a.score);
    },
  };
};
