import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Locale } from '#src/kernel/locale.ts';
import { Decimal, formatCount, formatFinancialNumber, formatPercent, formatUsd } from '#src/kernel/money.ts';
import { everyRow } from '#test/support/every-row.ts';

/** 3097.45 and its like: any number of digits before and after the point. */
const decimalArbitrary = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, scale]) => new Decimal(`${digits}e-${scale}`));

describe('formatFinancialNumber', () => {
  it.each([
    ['3097.45', 'USD', 2, '$3,097.45'],
    ['71900', 'KRW', 0, '₩71,900'],
    ['71900.4', 'KRW', 0, '₩71,900'],
    ['0.5', 'EUR', 2, '€0.50'],
    ['-1234.5', 'USD', 2, '-$1,234.50'],
    ['61234.12345678', 'USD', 8, '$61,234.12345678'],
    ['1000000000000000000000.01', 'USD', 2, '$1,000,000,000,000,000,000,000.01'],
  ])('writes %s %s with %i decimals as %s in both languages', (value, currency, decimals, written) => {
    const format = (locale: Locale): string =>
      formatFinancialNumber(new Decimal(value), {
        locale,
        currency,
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      });
    expect([format('ko'), format('en')]).toEqual([written, written]);
  });

  everyRow([
    ['3097.45', {}, '3,097.45'],
    ['3097', {}, '3,097'],
    ['0.12345678', { maximumFractionDigits: 8 }, '0.12345678'],
    ['0.12345678', { minimumFractionDigits: 4 }, '0.1235'],
    ['5', { minimumFractionDigits: 2, maximumFractionDigits: 8 }, '5.00'],
    ['5.123', { minimumFractionDigits: 3, maximumFractionDigits: 1 }, '5.1'],
    ['2.345', {}, '2.35'],
    ['-2.345', {}, '-2.35'],
    ['12', { showSign: true }, '+12'],
    ['-12', { showSign: true }, '-12'],
    ['0', { showSign: true }, '0'],
    ['1e-7', { maximumFractionDigits: 8 }, '0.0000001'],
    ['1e21', {}, '1,000,000,000,000,000,000,000'],
  ])('writes %s with %o as %s', (value, options, written) => {
    expect(formatFinancialNumber(new Decimal(value), { locale: 'en', ...options })).toBe(written);
  });

  it('keeps the code of a coin that has no sign', () => {
    const shown = formatFinancialNumber(new Decimal('1'), { locale: 'en', currency: 'USDT' });
    expect(shown).toContain('USDT');
  });

  it.each([
    ['HKD', 'USD'],
    ['JPY', 'CNY'],
  ])('tells %s and %s apart, which share a sign', (one, other) => {
    const [here, there] = [one, other].map((currency) =>
      formatFinancialNumber(new Decimal('1'), { locale: 'en', currency }),
    );
    expect(here).not.toBe(there);
  });

  it('writes a loss that rounds to nothing without a minus', () => {
    expect(formatFinancialNumber(new Decimal('-0.001'), { locale: 'en', currency: 'USD' })).toBe('$0');
  });

  it.each([
    ['JPY', '¥1,235'],
    ['KRW', '₩1,235'],
    ['GBP', '£1,234.57'],
    ['USD', '$1,234.57'],
    ['CNY', 'CNY\u00a01,234.57'],
  ])('writes %s with as many decimals as people use', (currency, written) => {
    expect(formatFinancialNumber('1234.567', { locale: 'ko', currency })).toBe(written);
  });

  it.each([
    ['0.0127', {}, '1.27%'],
    ['0.0127', { showSign: true }, '+1.27%'],
    ['-0.5', { minimumFractionDigits: 1 }, '-50.0%'],
    ['0.12345678901234567890123456789', { maximumFractionDigits: 27 }, '12.345678901234567890123456789%'],
  ])('writes the fraction %s as a percentage with %o', (value, options, written) => {
    expect(formatFinancialNumber(value, { locale: 'en', isPercent: true, ...options })).toBe(written);
  });

  it('takes numbers and texts as they are written', () => {
    expect(formatFinancialNumber(0.1, { locale: 'en' })).toBe('0.1');
    expect(formatFinancialNumber(1e21, { locale: 'en' })).toBe('1,000,000,000,000,000,000,000');
    expect(formatFinancialNumber('90071992547409931.25', { locale: 'en' })).toBe('90,071,992,547,409,931.25');
    expect(() => formatFinancialNumber('a lot', { locale: 'en' })).toThrow();
  });

  it('never loses a digit: without separators it is the rounded decimal', () => {
    fc.assert(
      fc.property(
        decimalArbitrary,
        fc.integer({ min: 0, max: 18 }),
        fc.boolean(),
        fc.constantFrom<Locale>('ko', 'en'),
        (value, digits, isPadded, locale) => {
          const text = formatFinancialNumber(value, {
            locale,
            minimumFractionDigits: isPadded ? digits : 0,
            maximumFractionDigits: digits,
          });
          expect(text).toMatch(/^-?\d{1,3}(,\d{3})*(\.\d+)?$/);
          const plain = text.replaceAll(',', '');
          const rounded = value.toDecimalPlaces(digits, Decimal.ROUND_HALF_UP);
          expect(new Decimal(plain).abs().toFixed()).toBe(rounded.abs().toFixed());
          if (!rounded.isZero()) expect(plain.startsWith('-')).toBe(value.isNegative());
          if (isPadded && digits > 0) expect(plain.split('.')[1]).toHaveLength(digits);
        },
      ),
    );
  });
});

describe('formatPercent', () => {
  it.each([
    ['0.0127', '+1.27%'],
    ['-0.01234', '-1.23%'],
    ['0', '0.00%'],
    ['0.00001', '0.00%'],
    ['-0.00001', '0.00%'],
    ['12.5', '+1,250.00%'],
  ])('writes the fraction %s as %s in both languages', (fraction, written) => {
    const value = new Decimal(fraction);
    expect([formatPercent(value, 'ko'), formatPercent(value, 'en')]).toEqual([written, written]);
  });
});

describe('formatUsd', () => {
  everyRow([
    ['0', '$0.00'],
    ['12.345', '$12.35'],
    ['1', '$1.00'],
    ['1.0042', '$1.00'],
    ['0.5', '$0.50'],
    ['0.075', '$0.075'],
    ['0.12345', '$0.1235'],
    ['0.0042', '$0.0042'],
    ['0.00014', '$0.00014'],
    ['0.0000075', '$0.0000075'],
    ['0.00000754', '$0.0000075'],
    ['0.000000000001', '$0.000000000001'],
    ['0.99999', '$1.00'],
    ['1234567.891', '$1,234,567.89'],
    ['-0.0042', '-$0.0042'],
  ])('writes %s dollars as %s in both languages', (value, written) => {
    const usd = new Decimal(value);
    expect([formatUsd(usd, 'ko'), formatUsd(usd, 'en')]).toEqual([written, written]);
  });

  it('never shows an amount of the ledger as nothing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 24n }), (pico) => {
        expect(formatUsd(new Decimal(`${pico}e-12`), 'en')).toMatch(/[1-9]/);
      }),
    );
  });
});

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [1_234, '1,234'],
    [9_007_199_254_740_991, '9,007,199,254,740,991'],
  ])('writes %i as %s in both languages', (count, written) => {
    expect([formatCount(count, 'ko'), formatCount(count, 'en')]).toEqual([written, written]);
  });
});
