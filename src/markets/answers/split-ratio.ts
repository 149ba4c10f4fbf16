import type { Locale } from '#src/kernel/locale.ts';
import { Decimal } from '#src/kernel/money.ts';

const MAX_SHARES = 1_000;
const CLOSE_ENOUGH = 1e-6;
const RATIO_DIGITS = 8;

/** In whole shares if possible: 1 becomes 4, 10 become 1, 2 become 3. */
export const splitShares = (ratio: Decimal): { readonly before: string; readonly after: string } => {
  const value = ratio.toNumber();
  for (let before = 1; before <= MAX_SHARES; before += 1) {
    const after = Math.round(value * before);
    if (after > 0 && Math.abs(value * before - after) < CLOSE_ENOUGH * after)
      return { before: String(before), after: String(after) };
  }
  const into = Math.round(1 / value);
  return Math.abs(1 / value - into) < CLOSE_ENOUGH * into
    ? { before: String(into), after: '1' }
    : { before: '1', after: ratio.toSignificantDigits(RATIO_DIGITS).toFixed() };
};

/** A split as figures of facts: the ratio, and the shares before and after it. */
export const splitFigures = (ratio: Decimal): readonly (readonly ['splitRatio', Decimal, string])[] => {
  const { before, after } = splitShares(ratio);
  return [
    ['splitRatio', ratio, 'x'],
    ...[before, after].map((shares) => ['splitRatio', new Decimal(shares), 'shares'] as const),
  ];
};

/** `4:1`, `1:10`, `3:2`: new shares to old shares, as typed. */
export const ratioText = (ratio: Decimal): string => {
  const { before, after } = splitShares(ratio);
  return `${after}:${before}`;
};

/** The display form. In Korean a reverse split is `10:1 병합`, because `1:10` reads as one into ten. */
export const splitName = (ratio: Decimal, locale: Locale) => {
  const isReverse = ratio.lessThan(1);
  const isTurned = isReverse && locale === 'ko';
  return { ratio: ratioText(isTurned ? new Decimal(1).dividedBy(ratio) : ratio), isReverse };
};
