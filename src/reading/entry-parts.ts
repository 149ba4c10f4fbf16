import { Decimal } from '#src/kernel/money.ts';
import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import { type AmountReading, amountsIn } from './amounts.ts';
import { datesIn, SOME_DAY } from './dates.ts';
import { FRACTION_SIGNS } from './portions.ts';
import { ratioIn, slashedRatioIn } from './ratios.ts';
import { foldWidth, withoutReadings } from './reading.ts';
import { timesIn } from './times.ts';

export interface PartSpan {
  readonly start: number;
  readonly end: number;
}

export interface Word extends PartSpan {
  readonly text: string;
}

/** Longer than any label of an amount. */
export const MAX_LABEL = 20;
const COMPACT = /^\d{8}$/u;

/** `half a share`, `반 주`. */
const HALF_PIECE = /(?<![\p{L}\d])(?:half (?:an? |of (?:an? )?)?(?:share|coin)|반 ?주|반 ?개)(?!\p{L})/giu;
/** `½`, `1½`. */
const SIGNED_FRACTION = new RegExp(
  `(?<whole>\\d{1,6} ?)?(?<sign>[${Object.keys(FRACTION_SIGNS).join('')}])`,
  'gu',
);
/** `1/3 주`, `3/4 of a share`: with a unit after it, it is not a date. */
const COUNTED_FRACTION =
  /(?<![\p{L}\d./])(?<over>\d{1,4})\/(?<under>\d{1,4})(?= ?(?:주(?![가-힣])|개(?![가-힣])|좌|코인|of an? |shares?|coins?|units?|pieces?))(?: of an?(?= ))?/giu;
/** The precision of coins; brokers use six for shares. */
const FRACTION_DECIMALS = 8;

const fraction = (over: string, under: string, whole = '0'): string =>
  new Decimal(over).dividedBy(under).plus(whole.trim()).toDecimalPlaces(FRACTION_DECIMALS).toFixed();

/** `72p`, `72.5 pence`, `72펜스`: prices in London. */
const PENCE = /(?<![\p{L}\d.,])(?<number>\d{1,9}(?:\.\d{1,6})?)(?:p| ?pence| ?펜스)(?![\p{L}\d])/giu;

/** Converts pence to pounds, the ledger's unit. */
const withPounds = (text: string): string =>
  text.replaceAll(PENCE, (_all, number: string) => `£${new Decimal(number).dividedBy(100).toFixed()}`);

/** Remarks in brackets: `(수수료 150원)`, `(fee 1)`. */
const BRACKETED_REMARK =
  /\((?<inside>(?:an? )?(?:[$₩€]?[\d.,]{1,15}원? ?)?(?:fees?|commission|tax(?:es)?|수수료|세금|거래세|환율|(?:exchange )?rate)(?![\p{L}\d])[^()\n]{0,30})\)/giu;
/** `수수료 없음`, `no fees`. */
const NO_COST =
  /(?:with )?\b(?:no|zero|without(?: an?y?)?) (?:(?<feeEn>fees?|commission)|tax(?:es)?)(?!\p{L})|(?<!\p{L})(?:(?<feeKo>수수료)|세금)[는은]? ?없(?:음|이|었음|었어요?|었습니다|어요?|습니다)(?!\p{L})/giu;

/** `어젯밤 11시`, `last night at 11:40`. An hour after midnight may belong to either day, so the person is asked. */
const LAST_NIGHT_KO = /어젯밤(?=\s{0,2}(?:[6-9]|1[01]|여섯|일곱|여덟|아홉|열|열한)\s?시)/gu;
const LAST_NIGHT_EN = /\blast night,? (?:at )?(?<time>(?:[6-9]|1[01]):[0-5]\d)(?! ?[ap]\.?m)/giu;

/**
 * Rewrites colloquial forms for the other readers: pence as pounds, fractions of a share as decimals (`½`, `반주`,
 * `1/3 shares`), bracketed remarks, and `no fees` as a zero fee. A bare `1/3` stays, because it may be a date.
 */
export const normalizeForms = (typed: string): string =>
  withPounds(foldWidth(typed))
    .replaceAll(BRACKETED_REMARK, ' $<inside> ')
    .replaceAll(NO_COST, (...match: readonly unknown[]) => {
      const { feeEn, feeKo } = match.at(-1) as Readonly<Record<string, string | undefined>>;
      return (feeEn ?? feeKo) === undefined ? ' tax 0 ' : ' fee 0 ';
    })
    .replaceAll(LAST_NIGHT_KO, '어제 밤')
    .replaceAll(LAST_NIGHT_EN, 'yesterday $<time>pm')
    .replaceAll(HALF_PIECE, '0.5 shares')
    .replaceAll(SIGNED_FRACTION, (_all, whole: string | undefined, sign: string) => {
      const [over = '1', under = '1'] = (FRACTION_SIGNS[sign] ?? '').split('/');
      return fraction(over, under, whole);
    })
    .replaceAll(COUNTED_FRACTION, (all, over: string, under: string) =>
      Number(under) === 0 ? all : fraction(over, under),
    );

export const wordsIn = (text: string): readonly Word[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => {
    const bare = word.replace(/(?<![,;])[,;]+$/u, '');
    return { text: bare, start: index, end: index + bare.length };
  }).filter(({ text: word }) => word !== '');

const overlaps = (a: PartSpan, b: PartSpan): boolean => a.start < b.end && b.start < a.end;

/**
 * Dates. `20261113` is a number if there is no other. `지난달` counts, so that the caller can ask for one day; a year
 * alone is a number.
 */
const daysOf = (text: string): readonly PartSpan[] => {
  const dates = datesIn(text, SOME_DAY, { allowsShort: true, allowsCompact: true }).filter(
    ({ value, start, end }) =>
      value.status === 'impossible' || value.precision === 'day' || /[^\d\s]/u.test(text.slice(start, end)),
  );
  const others = amountsIn(withoutReadings(text, dates));
  return dates.filter(({ start, end }) => others.length > 0 || !COMPACT.test(text.slice(start, end)));
};

export interface EntryParts {
  readonly ratio: PartSpan | undefined;
  readonly dates: readonly PartSpan[];
  readonly times: readonly PartSpan[];
  readonly amounts: readonly AmountReading[];
  /** The remaining words. */
  readonly words: readonly Word[];
}

export const TIME_WORD = /^(?:time|시각|시간)\s{0,2}[:=]?\s{0,2}/iu;
const TIME_LABEL = /(?<![\p{L}\d])(?:time|시각|시간)\s{0,2}[:=]?\s{0,2}$/iu;
/** `14:30`, `3pm`, `오후 2시 30분`. `PM 10` and `3 PM` are a company and a number. */
const CLOCK = /\d:\d|시|\d[ap]\.?m/iu;

/** Times of day with their label. */
const timesOf = (text: string): readonly PartSpan[] =>
  timesIn(text)
    .map(({ start, end }) => {
      const label = TIME_LABEL.exec(text.slice(Math.max(0, start - MAX_LABEL), start))?.[0] ?? '';
      return { start: start - label.length, end, isTime: label !== '' || CLOCK.test(text.slice(start, end)) };
    })
    .filter(({ isTime }) => isTime);

/** Splits a text into disjoint pieces. */
export const splitEntryText = (text: string, kind: TransactionKind): EntryParts => {
  const ratio = kind === 'split' ? ratioIn(text) : undefined;
  const dated = ratio ? withoutReadings(text, [ratio]) : text;
  const dates = daysOf(dated);
  const dayless = withoutReadings(dated, dates);
  const times = timesOf(dayless);
  const counted = withoutReadings(dayless, times);
  const amounts = amountsIn(counted);
  const words = wordsIn(withoutReadings(counted, amounts));
  if (kind !== 'split' || ratio || amounts.length > 0) return { ratio, dates, times, amounts, words };
  const slashed = slashedRatioIn(text);
  return slashed
    ? { ratio: slashed, dates: dates.filter((date) => !overlaps(date, slashed)), times, amounts, words }
    : { ratio, dates, times, amounts, words };
};
