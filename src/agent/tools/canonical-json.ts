/** Finished text, or a value still to be written. */
type Piece = string | { readonly value: unknown };

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const piecesOf = (value: unknown): readonly Piece[] => {
  if (Array.isArray(value))
    return [
      '[',
      ...value.flatMap((item: unknown, index): Piece[] => [index === 0 ? '' : ',', { value: item }]),
      ']',
    ];
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  const members = Object.entries(value).toSorted(byKey);
  return [
    '{',
    ...members.flatMap(([key, item], index): Piece[] => [
      `${index === 0 ? '' : ','}${JSON.stringify(key)}:`,
      { value: item },
    ]),
    '}',
  ];
};

/**
 * JSON independent of key order: equal inputs give equal text, and different inputs never do. Undefined is
 * omitted in objects and null elsewhere, as in JSON. Throws for values that JSON cannot hold (a bigint, a
 * cycle). Works for values nested deeper than the call stack, which a model may send.
 */
export const canonicalJson = (input: unknown): string => {
  // Round trip to plain data (dates, undefined members); a cycle throws here.
  const value: unknown = JSON.parse(JSON.stringify(input) ?? 'null');
  const waiting: Piece[] = [{ value }];
  let text = '';
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    if (typeof piece === 'string') text += piece;
    else for (const part of piecesOf(piece.value).toReversed()) waiting.push(part);
  }
  return text;
};
