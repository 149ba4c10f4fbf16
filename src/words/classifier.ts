/**
 * Tells what a message asks for by examples: a softmax over weighted pieces of spelling, trained when the examples are loaded,
 * and the likeness to the nearest example, without which a message about something else would look like one of them.
 */

export interface Example {
  readonly action: string;
  /** With slots in place of values: `{name} 얼마야`. */
  readonly text: string;
}

export interface Guess {
  readonly action: string;
  /** The share of certainty, from 0 to 1. */
  readonly score: number;
}

export interface Ranking {
  /** All actions, the likeliest first. */
  readonly guesses: readonly Guess[];
  /** How much the nearest example resembles the message, from 0 to 1. */
  readonly likeness: number;
}

const BUCKETS = 1 << 15;
const PRIME = 0x01_00_01_93;
/** The longest pieces in characters. */
const LONGEST = 4;
/** A longer text is no plain wish. */
const MAX_TEXT = 300;
const SLOTS = ['name', 'amount', 'count', 'percent', 'date', 'span', 'currency', 'time', 'code'];
const SLOT = new RegExp(String.raw`\{(${SLOTS.join('|')})\}`, 'gu');
const FIRST_SLOT = 0xe0_00;
/** Of the training; measured on examples that were left out of it (docs/decisions/0027-words-by-examples.md). */
const EPOCHS = 2;
const RATE = 0.5;
const SHARPNESS = 12;
/** A smaller error of an action is not worth a step. */
const LEAST_ERROR = 0.02;
/** Examples are visited in a mixed order: the next one is so many places on. */
const STRIDE = 1009;

/** A slot is one character, so that it weighs as much as a letter beside it. */
const characterOf = (_slot: string, name: string): string =>
  String.fromCharCode(FIRST_SLOT + SLOTS.indexOf(name));

/** Case, width, blanks, drawn-out letters and punctuation say nothing. */
export const plainOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .slice(0, MAX_TEXT)
    .replaceAll('{names}', '{name}')
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
  const written = ` ${plainOf(text)} `;
  const ids: number[] = [];
  for (let start = 0; start < written.length; start += 1) {
    let hash = 1;
    for (let at = start; at < Math.min(start + LONGEST, written.length); at += 1) {
      hash = Math.imul(hash ^ written.charCodeAt(at), PRIME);
      const id = (hash ^ (hash >>> 15)) & (BUCKETS - 1);
      if (seen[id] === 0) ids.push(id);
      seen[id] = (seen[id] ?? 0) + 1;
    }
  }
  const counts = ids.map((id) => seen[id] ?? 0);
  for (const id of ids) seen[id] = 0;
  return { ids, counts };
};

/** Of length 1. A piece that no example has weighs most: the text may be about something else. */
const weighted = ({ ids, counts }: Pieces, weights: Float32Array): Float32Array => {
  const values = Float32Array.from(ids, (id, at) => Math.sqrt(counts[at] ?? 0) * (weights[id] ?? 0));
  let sum = 0;
  for (const value of values) sum += value * value;
  const norm = Math.sqrt(sum) || 1;
  return values.map((value) => value / norm);
};

export interface Classifier {
  readonly rank: (text: string) => Ranking;
}

interface Vector {
  readonly ids: readonly number[];
  readonly values: Float32Array;
}

/** The certainty of each action; `table` has a row of actions for each piece. */
const certaintyOf = ({ ids, values }: Vector, table: Float32Array, actions: number): Float32Array => {
  const found = new Float32Array(actions);
  for (let at = 0; at < ids.length; at += 1) {
    const row = (ids[at] ?? 0) * actions;
    const value = values[at] ?? 0;
    for (let action = 0; action < actions; action += 1)
      found[action] = (found[action] ?? 0) + (table[row + action] ?? 0) * value;
  }
  let [most, sum] = [-Infinity, 0];
  for (const each of found) most = Math.max(most, each);
  for (let action = 0; action < actions; action += 1) {
    const raised = Math.exp(((found[action] ?? 0) - most) * SHARPNESS);
    found[action] = raised;
    sum += raised;
  }
  return found.map((each) => each / sum);
};

const learn = ({ ids, values }: Vector, table: Float32Array, actions: number, right: number): void => {
  const certainty = certaintyOf({ ids, values }, table, actions);
  for (let action = 0; action < actions; action += 1) {
    const error = (certainty[action] ?? 0) - Number(action === right);
    if (Math.abs(error) < LEAST_ERROR) continue;
    for (let at = 0; at < ids.length; at += 1) {
      const cell = (ids[at] ?? 0) * actions + action;
      table[cell] = (table[cell] ?? 0) - error * RATE * (values[at] ?? 0);
    }
  }
};

/** Examples of one action stand together. Yields between them, because some thousand take a while. */
export const buildClassifier = function* (
  examples: readonly Example[],
): Generator<undefined, Classifier, undefined> {
  const actions = [...new Set(examples.map(({ action }) => action))];
  const numberOf = new Map(actions.map((action, index) => [action, index]));
  const actionOf = Int32Array.from(examples, ({ action }) => numberOf.get(action) ?? 0);
  const all: Pieces[] = [];
  const actionsWith = new Uint16Array(BUCKETS);
  const lastWith = new Int32Array(BUCKETS).fill(-1);
  for (const [index, { text }] of examples.entries()) {
    const pieces = piecesOf(text);
    all.push(pieces);
    const action = actionOf[index] ?? 0;
    for (const id of pieces.ids) {
      if (lastWith[id] === action) continue;
      lastWith[id] = action;
      actionsWith[id] = (actionsWith[id] ?? 0) + 1;
    }
    yield;
  }
  // A piece tells more, the fewer actions have it.
  const weights = Float32Array.from(actionsWith, (count) =>
    Math.sqrt(Math.log(1 + actions.length / Math.max(1, count))),
  );
  const vectors: Vector[] = [];
  for (const pieces of all) {
    vectors.push({ ids: pieces.ids, values: weighted(pieces, weights) });
    yield;
  }
  const table = new Float32Array(BUCKETS * actions.length);
  for (let step = 0; step < EPOCHS * vectors.length; step += 1) {
    const at = (step * STRIDE) % vectors.length;
    const vector = vectors[at];
    if (vector) learn(vector, table, actions.length, actionOf[at] ?? 0);
    yield;
  }
  return {
    rank: (text) => {
      const pieces = piecesOf(text);
      const vector: Vector = { ids: pieces.ids, values: weighted(pieces, weights) };
      const certainty = certaintyOf(vector, table, actions.length);
      const place = new Float32Array(BUCKETS);
      for (const [at, id] of vector.ids.entries()) place[id] = vector.values[at] ?? 0;
      const likenessTo = ({ ids, values }: Vector): number => {
        let sum = 0;
        for (let at = 0; at < ids.length; at += 1) sum += (place[ids[at] ?? 0] ?? 0) * (values[at] ?? 0);
        return sum;
      };
      return {
        guesses: actions
          .map((action, index) => ({ action, score: certainty[index] ?? 0 }))
          .toSorted((a, b) => b.score - a.score),
        likeness: vectors.reduce((most, each) => Math.max(most, likenessTo(each)), 0),
      };
    },
  };
};
