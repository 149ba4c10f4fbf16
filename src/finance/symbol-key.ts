import type { Instrument } from '#src/core/finance.ts';

const COMPANY_FORMS: ReadonlySet<string> = new Set([
  'inc',
  'incorporated',
  'corp',
  'corporation',
  'co',
  'company',
  'ltd',
  'limited',
  'llc',
  'plc',
  'the',
  '주식회사',
]);

/** `㈜` becomes `(주)` in NFKC; without its brackets it could be part of a name. */
const BRACKETED_STOCK = /\(주\)/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/u;

interface SymbolForm {
  readonly key: string;
  /** The key of the first word, of the first two, and so on. */
  readonly beginnings: readonly string[];
}

const formOf = (words: readonly string[]): SymbolForm => ({
  key: words.join(''),
  beginnings: words.map((_, index) => words.slice(0, index + 1).join('')),
});

/**
 * What a name or code is compared by: letters and digits only, lower case, so that `$aapl`, `ＡＡＰＬ` and `AAPL`
 * are one. The first form is the whole, the second (where it differs) is without `Inc.`, `Co., Ltd.` and the like.
 */
export const symbolForms = (text: string): readonly SymbolForm[] => {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(BRACKETED_STOCK, ' ')
    .split(NOT_WORD)
    .filter((word) => word !== '');
  const bare = words.filter((word) => !COMPANY_FORMS.has(word));
  return [words, ...(bare.length < words.length ? [bare] : [])].filter((form) => form.length > 0).map(formOf);
};

/** How charts and brokers write a code: `NASDAQ:AAPL`, and for Korea also `KRX:005930` and `A005930`. */
export const marketCodesOf = ({ ticker, exchange }: Instrument): readonly string[] => [
  `${exchange}:${ticker}`,
  ...(exchange === 'KOSPI' || exchange === 'KOSDAQ' ? [`KRX:${ticker}`, `A${ticker}`] : []),
];
