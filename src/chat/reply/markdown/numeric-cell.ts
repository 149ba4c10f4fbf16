/** Empty, or a sign for "none": says nothing about its column. */
const NOTHING = /^(?:[-–—]|N\/A|n\/a|없음)?$/;

/** Uses `,` between groups of digits and `.` before decimals. */
const NUMBER =
  /^[+\-−±▲▼△▽]?\s?(?:(?:\p{Sc}|[A-Z]{3,5})\s?)?[+\-−±▲▼△▽]?\s?\(?\d[\d,]*(?:\.\d+)?\s?(?:[%‰]p?|[KMBT]|bps?|[만억조배주개]|\p{Sc}|[A-Z]{3,5})?원?\)?$/u;

export interface CellReader {
  /** A column of numbers: every cell that says something is one. */
  readonly isNumeric: (cells: readonly string[]) => boolean;
}

/** Reads amounts, changes and percentages as they are written in a language. */
export const createCellReader = (locale: string): CellReader => {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const separator = (type: 'group' | 'decimal'): string =>
    parts.find((part) => part.type === type)?.value ?? '';
  const [group, decimal] = [separator('group'), separator('decimal')];
  const written = (character: string): string => {
    if (character === group) return ',';
    if (character === decimal) return '.';
    return character === ',' || character === '.' ? '?' : character;
  };
  const plain = (cell: string): string => Array.from(cell, written).join('');
  return {
    isNumeric: (cells) => {
      const telling = cells.map((cell) => cell.trim()).filter((cell) => !NOTHING.test(cell));
      return telling.length > 0 && telling.every((cell) => NUMBER.test(plain(cell)));
    },
  };
};
