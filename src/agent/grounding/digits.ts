import type { Figure } from './figures.ts';

/** Digits without the zeros at the end. */
export const significantDigits = ({ value, lastPower }: Figure): number => {
  let digits = Math.round(Math.abs(value) / 10 ** lastPower);
  if (digits === 0 || !Number.isFinite(digits)) return 0;
  while (digits % 10 === 0) digits /= 10;
  return String(digits).length;
};

/** With fewer digits, two numbers are the same by chance. */
export const MIN_TELLING_DIGITS = 3;
