import type { Steps } from '../cooperative-tasks.ts';

type Plain = Readonly<Record<string, unknown>>;

const INDENT = '  ';
/** Below so many levels a value is short: one entry of a list, one setting. */
const MAX_DEPTH = 5;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isLeftOut = (value: unknown): boolean => value === undefined || typeof value === 'function';

/** Text in JSON has no line breaks of its own. */
const shortJson = (value: unknown, margin: string): string =>
  (JSON.stringify(value, null, INDENT.length) ?? 'null').replaceAll('\n', `\n${margin}`);

const write = function* (value: unknown, depth: number, pieces: string[]): Steps<void> {
  const margin = INDENT.repeat(depth);
  const isList = Array.isArray(value);
  const members: readonly (readonly [string, unknown])[] = isList
    ? value.map((item) => ['', item])
    : isPlain(value)
      ? Object.entries(value)
          .filter(([, item]) => !isLeftOut(item))
          .map(([name, item]) => [`${JSON.stringify(name)}: `, item])
      : [];
  if (members.length === 0 || depth >= MAX_DEPTH) {
    pieces.push(shortJson(value, margin));
    yield;
    return;
  }
  for (const [index, [name, item]] of members.entries()) {
    pieces.push(`${index > 0 ? ',' : isList ? '[' : '{'}\n${margin}${INDENT}${name}`);
    yield* write(item, depth + 1, pieces);
  }
  pieces.push(`\n${margin}${isList ? ']' : '}'}`);
};

/** A small piece costs a write of its own. */
const PIECE_CHARS = 65_536;

/** `JSON.stringify(value, null, 2)`, in steps and in pieces: all that is stored about a person may be very long. */
export const jsonInPieces = function* (value: unknown): Steps<readonly string[]> {
  const small: string[] = [];
  yield* write(value, 0, small);
  const pieces: string[] = [];
  let chars = 0;
  let from = 0;
  for (const [index, piece] of small.entries()) {
    chars += piece.length;
    if (chars < PIECE_CHARS && index < small.length - 1) continue;
    pieces.push(small.slice(from, index + 1).join(''));
    from = index + 1;
    chars = 0;
    yield;
  }
  return pieces;
};

/** In bytes of UTF-8. */
export const sizeInSteps = function* (pieces: readonly string[]): Steps<number> {
  let size = 0;
  for (const piece of pieces) {
    size += Buffer.byteLength(piece);
    yield;
  }
  return size;
};
