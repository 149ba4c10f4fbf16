import type { Instrument } from '#src/core/finance.ts';

/**
 * How words stand for an instrument that was found by them: as its code, as its whole name, as what it is also
 * called (삼전, Google), or as no more than a part of its name (한국, `berkshire`).
 */
export type NamedBy = 'code' | 'name' | 'alias' | 'part';

const COMPANY_FORM =
  /\b(?:the|incorporated|inc|corporation|corp|(?:and |& )?(?:company|co)|limited|ltd|llc|plc|n\.?v|s\.?a|class [a-c]|common stock)\b\.?/giu;
/** What stands behind the name that everybody uses: Palantir Technologies, Alibaba Group Holding, Amazon.com. */
const LONG_FORM = /\b(?:technolog(?:y|ies)|systems|platforms|group|holdings?|com)\b/giu;

const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const nameKeysOf = (name: string): readonly string[] => {
  const plain = name.normalize('NFKC').replaceAll(COMPANY_FORM, ' ');
  return [name, plain, plain.replaceAll(LONG_FORM, ' ')].map(keyOf).filter((key) => key !== '');
};

export const namedBy = (words: string, { ticker, symbol, exchange, name }: Instrument): NamedBy => {
  const keys = [words, words.normalize('NFKC').replaceAll(COMPANY_FORM, ' ')].map(keyOf);
  const names = [name.en, name.ko].flatMap(nameKeysOf);
  if (names.some((known) => keys.includes(known))) return 'name';
  const codes = [ticker, symbol, `${exchange}${ticker}`, `KRX${ticker}`, `A${ticker}`].map(keyOf);
  if (codes.some((code) => keys.includes(code))) return 'code';
  return names.some((known) => keys.some((key) => known.includes(key))) ? 'part' : 'alias';
};

/** Listed twice under one name, at home and abroad or in two classes: still one name. */
export const isOneName = (words: string, choices: readonly Instrument[]): boolean =>
  choices.length > 0 && choices.every((choice) => namedBy(words, choice) === 'name');
