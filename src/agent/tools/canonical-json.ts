/** Text that is finished, or a value that still has to be written. */
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
 * JSON in which the order of keys says nothing: inputs that mean the same are written the same, and others
 * never are. Undefined is left out of objects and is null elsewhere, as JSON has it. Throws for what JSON
 * cannot hold (a bigint, a circle). Values nested deeper than the call stack are written too: a model may
 * send them.
 */
export const canonicalJson = (input: unknown): string => {
  // Whatever has a form of its own (dates, undefined members) is plain data after this, and no circle is left.
  const value: unknown = JSON.parse(JSON.stringify(input) ?? 'null');
  const waiting: Piece[] = [{ value }];
  let text = '';
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    if (typeof piece === 'string') text += piece;
    else for (const part of piecesOf(piece.value).toReversed()) waiting.push(part);
  }
  return text;
};
