/** Empty, or a sign for "none": says nothing about its column. */
const NOTHING = /^(?:[-–—]|N\/A|n\/a|없음)?$/;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

export interface CellReader {
  /** A column of numbers: every cell that says something is one. */
  readonly isNumeric: (cells: readonly string[]) => boolean;
}

/** Reads amounts, changes and percentages as they are written in a language. */
export const createCellReader = (locale: string, currencySymbol = ''): CellReader => {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const separator = (type: 'group' | 'decimal'): string =>
    escaped(parts.find((part) => part.type === type)?.value ?? '');
  const symbol = currencySymbol === '' ? '' : `|${escaped(currencySymbol)}`;
  const unit = String.raw`(?:\p{Sc}|[A-Z]{3,5}${symbol})`;
  const sign = String.raw`[+\-−±▲▼△▽]?\s?`;
  const digits = String.raw`\d[\d${separator('group')}]*(?:${separator('decimal')}\d+)?`;
  const ending = String.raw`(?:[%‰]p?|[KMBT]|bps?|[만억조배주개]|${unit})?원?`;
  const number = new RegExp(`^${sign}(?:${unit}\\s?)?${sign}\\(?${digits}\\s?${ending}\\)?$`, 'u');
  return {
    isNumeric: (cells) => {
      const telling = cells.map((cell) => cell.trim()).filter((cell) => !NOTHING.test(cell));
      return telling.length > 0 && telling.every((cell) => number.test(cell));
    },
  };
};
