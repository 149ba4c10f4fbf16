import { expect } from 'vitest';
import { type AmountReading, amountsIn } from '#src/reading/amounts.ts';

const shownOne = ({ value: amount, isApproximate, isConflicting, alternatives }: AmountReading): string => {
  const { value, unit, currency, isCoin, basis, isSigned } = amount;
  const kind = [isCoin ? 'coin' : unit, currency, basis].filter((part) => part !== undefined).join('/');
  const others = alternatives.map((other) => other.value.toFixed()).join(' ');
  return [
    `${value.toFixed()} ${kind}${isApproximate ? '~' : ''}${isConflicting ? '!' : ''}`,
    isSigned ? ' signed' : '',
    others === '' ? '' : ` or ${others}`,
  ].join('');
};

const shown = (text: string): string => amountsIn(text).map(shownOne).join(', ');

/**
 * Rows `text → amounts`, each amount `value unit/currency/basis`. `~`: about so much; `!`: two kinds of money; `or`: what
 * else the writer may have meant. All rows that are read differently are shown together.
 */
export const expectRows = (table: string): void => {
  const rows = table.split('\n').filter((row) => row !== '');
  const texts = rows.map((row) => row.slice(0, row.indexOf('→')).trim());
  expect(texts.map((text) => `${text} → ${shown(text)}`.trim())).toEqual(rows.map((row) => row.trim()));
};
