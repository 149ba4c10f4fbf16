/** Empty, or a sign for "none". */
const NOTHING = /^(?:[-–—]|N\/A|n\/a|없음)?$/;

/** Korean and English both write `,` between groups of digits and `.` before decimals. */
const NUMBER =
  /^[+\-−±▲▼△▽]?\s?(?:(?:\p{Sc}|[A-Z]{3,5})\s?)?[+\-−±▲▼△▽]?\s?\(?\d[\d,]*(?:\.\d+)?\s?(?:[%‰]p?|[KMBT]|bps?|[만억조배주개]|\p{Sc}|[A-Z]{3,5})?원?\)?$/u;

/** A column of numbers: every cell that is not empty is one. */
export const isNumeric = (cells: readonly string[]): boolean => {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => !NOTHING.test(cell));
  return filled.length > 0 && filled.every((cell) => NUMBER.test(cell));
};
