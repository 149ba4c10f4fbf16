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

/**
 * What a name or code is compared by: letters and digits only, lower case, so that `$aapl`, `ＡＡＰＬ` and `AAPL`
 * are one. The first form is the whole, the second (where it differs) is without `Inc.`, `Co., Ltd.` and the like.
 */
export const symbolKeys = (text: string): readonly string[] => {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(BRACKETED_STOCK, ' ')
    .split(NOT_WORD)
    .filter((word) => word !== '');
  const whole = words.join('');
  const bare = words.filter((word) => !COMPANY_FORMS.has(word)).join('');
  return whole === '' ? [] : bare === '' || bare === whole ? [whole] : [whole, bare];
};
