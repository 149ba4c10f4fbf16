import { Decimal } from '#src/core/money.ts';
import { CURRENCIES } from './identifier-words.ts';

/** In any case, without a flag inside the expression. Only letters that stand for themselves. */
const anyCase = (pattern: string): string =>
  pattern.replaceAll(/[A-Za-z]/g, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);

/** A number as it is written, with or without separators. No part is without bound: scanning stays linear. */
export const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3}){1,6}(?!\d)|\d{1,15})(?:\.\d{1,18})?(?!\d)`;

const PERCENT = /\s?(?:%|퍼센트|프로(?!그램|젝트|세스|필|모션)|percent\b|pct\b)/y;
const SHARES = /\s?(?:주(?![년일간차말요문세])|shares?\b)/y;
const CURRENCY = new RegExp(
  String.raw`\s?(?:(?<name>원|달러|유로|위안|엔(?!비|터|씨)|불(?![가-힣])|₩)|(?<word>${anyCase(`${CURRENCIES.join('|')}|won|dollars?|euros?|yen|yuan`)})\b)`,
  'y',
);
const KOREAN_SCALE = /\s?(?<scale>[십백천]?[만억조]|[천백])/y;
const ENGLISH_SCALE =
  /\s?(?:(?<long>thousand|million|billion|trillion)\b|(?<short>bn|mn|tn|[kKMBT])(?![A-Za-z0-9]))/y;
/** What goes on after 3억 or 8만: 5천만, or the last 1,200 before its 원. */
const NEXT_PART = new RegExp(
  String.raw`\s?(?<number>${NUMBER})(?:(?<scale>[십백천]?[만억조]|[천백])|(?=\s?원))`,
  'y',
);
const MAX_PARTS = 4;
/** Of a Korean stock; zeros in front count. */
const STOCK_CODE = /^\d{6}$/;

/** Powers of ten. */
const SCALES: Readonly<Record<string, number>> = {
  십: 1,
  백: 2,
  천: 3,
  만: 4,
  억: 8,
  조: 12,
  k: 3,
  m: 6,
  mn: 6,
  b: 9,
  bn: 9,
  t: 12,
  tn: 12,
  thousand: 3,
  million: 6,
  billion: 9,
  trillion: 12,
};

const CURRENCY_NAMES: Readonly<Record<string, string>> = {
  '₩': 'KRW',
  '￦': 'KRW',
  $: 'USD',
  us$: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  원: 'KRW',
  won: 'KRW',
  달러: 'USD',
  불: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  유로: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  엔: 'JPY',
  yen: 'JPY',
  위안: 'CNY',
  yuan: 'CNY',
};

const currencyOf = (written: string): string =>
  CURRENCY_NAMES[written.toLowerCase()] ?? written.toUpperCase();

const matchAt = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  const sticky = pattern;
  sticky.lastIndex = index;
  return sticky.exec(text);
};

const plain = (written: string): Decimal => new Decimal(written.replaceAll(',', ''));

const normal = (written: string): string => plain(written).toFixed();

/** 천만 is a thousand times ten thousand. */
const scaled = (value: Decimal, scale: string): Decimal => {
  const names = SCALES[scale] === undefined ? Array.from(scale) : [scale];
  const powers = names.map((name) => SCALES[name] ?? 0);
  return value.times(`1e${powers.reduce((sum, power) => sum + power, 0)}`);
};

export interface Amount {
  /** The same for every way to write the same amount. */
  readonly key: string;
  /** Where in the text it ends. */
  readonly end: number;
  readonly isStockCode: boolean;
}

/** The value by the scale that follows the number, 3억 5천만 included, and where it ends; undefined without a scale. */
const readScaled = (
  text: string,
  written: string,
  end: number,
): { readonly value: Decimal; readonly end: number } | undefined => {
  const english = matchAt(ENGLISH_SCALE, text, end);
  if (english) {
    const scale = (english.groups?.['long'] ?? english.groups?.['short'] ?? '').toLowerCase();
    return { value: scaled(plain(written), scale), end: end + english[0].length };
  }
  const korean = matchAt(KOREAN_SCALE, text, end);
  if (!korean) return undefined;
  let value = scaled(plain(written), korean.groups?.['scale'] ?? '');
  let at = end + korean[0].length;
  for (let parts = 1; parts < MAX_PARTS; parts += 1) {
    const next = matchAt(NEXT_PART, text, at);
    if (!next) break;
    const { number = '0', scale } = next.groups ?? {};
    value = value.plus(scale === undefined ? plain(number) : scaled(plain(number), scale));
    at += next[0].length;
  }
  return { value, end: at };
};

/**
 * What a number at this place means, with the unit around it. Undefined where it means nothing by itself:
 * whole numbers without separators or units are in every sentence.
 */
export const readAmount = (
  text: string,
  written: string,
  end: number,
  prefix: string | undefined,
): Amount | undefined => {
  const percent = matchAt(PERCENT, text, end);
  if (percent && prefix === undefined)
    return { key: `${normal(written)}%`, end: end + percent[0].length, isStockCode: false };
  const scaledValue = readScaled(text, written, end);
  const valueEnd = scaledValue?.end ?? end;
  const numberKey = (): string => scaledValue?.value.toFixed() ?? normal(written);
  const currency = matchAt(CURRENCY, text, valueEnd);
  if (prefix !== undefined || currency) {
    const unit = prefix ?? currency?.groups?.['name'] ?? currency?.groups?.['word'] ?? '';
    const amountEnd = valueEnd + (currency?.[0].length ?? 0);
    return { key: `${currencyOf(unit)} ${numberKey()}`, end: amountEnd, isStockCode: false };
  }
  const shares = matchAt(SHARES, text, valueEnd);
  if (shares) return { key: `${numberKey()} shares`, end: valueEnd + shares[0].length, isStockCode: false };
  if (!scaledValue && STOCK_CODE.test(written)) return { key: written, end, isStockCode: true };
  const isTelling = scaledValue !== undefined || /[.,]/.test(written);
  return isTelling ? { key: numberKey(), end: valueEnd, isStockCode: false } : undefined;
};
