import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasKnownIsin, isIsin, symbolsOfIsin } from '#src/markets/symbols/isins.ts';
import { symbols } from '#test/support/sample-market.ts';

const LIST = new URL('../../../src/markets/data/isins.csv', import.meta.url);

/** Letters count from 10; from the right, every second digit counts twice. */
const hasCheckDigit = (isin: string): boolean => {
  const digits = Array.from(isin, (sign) => String(Number.parseInt(sign, 36))).join('');
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + Math.floor(value / 10) + (value % 10);
    }, 0);
  return sum % 10 === 0;
};

const isWrong = (row: string): boolean => {
  const [symbol = '', isin = ''] = row.split(',');
  const matches = [symbols.resolve(symbol), symbols.resolve(`$${symbol}`)];
  const isKnown = matches.some((match) => match.status === 'found' && match.instrument.symbol === symbol);
  return !isKnown || !isIsin(isin) || !hasCheckDigit(isin);
};

it('every ISIN has its check digit and belongs to a symbol that is known', () => {
  const rows = readFileSync(LIST, 'utf8').trim().split('\n').slice(1);
  expect(rows.filter(isWrong)).toEqual([]);
  expect(rows.length).toBeGreaterThan(4_000);
});

it('an ISIN finds its listings, whichever country a list gives it', () => {
  expect(symbolsOfIsin('US0378331005')).toEqual(['AAPL']);
  expect(symbolsOfIsin('GB0005405286').toSorted()).toEqual(['0005.HK', 'HSBA.L']);
  expect(symbolsOfIsin('CA82509L1076')).toEqual(['SHOP']);
  expect(symbolsOfIsin('IE00B4L5Y983')).toEqual([]);
  expect([hasKnownIsin('AAPL'), hasKnownIsin('BTC-USD')]).toEqual([true, false]);
});
