import { type AmountReading, amountsIn } from '#src/reading/amounts.ts';
import { characterTest, isDigit } from '#src/reading/characters.ts';
import { endAt, foldWidth, textAt, withoutReadings } from '#src/reading/reading.ts';
import { type DateMention, reportDatesIn } from '#src/reading/report-dates.ts';
import type { Unit } from '#src/reading/units.ts';

/** How a number is written. `plain` has no unit; `points` are those of an index. */
export type FigureKind =
  | 'money'
  | 'percent'
  | 'percentPoints'
  | 'points'
  | 'multiple'
  | 'count'
  | 'plain'
  | 'date';

/** A number or a date as the answer writes it. */
export interface Figure {
  /** Positions in the plain text. */
  readonly start: number;
  readonly end: number;
  readonly kind: FigureKind;
  /** Signed if a sign is written. A day number for dates. */
  readonly value: number;
  readonly alternatives: readonly number[];
  /** The sign that is written, as `-`, `+`, `▲` or `▼`. */
  readonly sign: 1 | -1 | undefined;
  readonly currency: string | undefined;
  /** The power of ten of the last written digit. */
  readonly lastPower: number;
  readonly isApproximate: boolean;
  /** The span in days, if the number counts days, weeks, months or years. */
  readonly durationDays: number | undefined;
}

const DURATION =
  /\s?(?:(?<trading>거래일)|(?<day>일(?!선)|days?|-day|d)|(?<week>주(?!당|식|가|를|을)|weeks?|-week|wk)|(?<month>개월|달(?!러)|months?|-month|mo)|(?<quarter>분기|quarters?|-quarter)|(?<year>년|years?|-year|yrs?|yr|y))(?![a-z])/iuy;

/** The span that a number and the word after it name: `52주`, `20-day`, `3개월`. */
const durationAt = (
  text: string,
  count: number,
  at: number,
): { readonly days: number; readonly end: number } | undefined => {
  DURATION.lastIndex = at;
  const match = DURATION.exec(text);
  if (!match?.groups) return undefined;
  const { week, month, quarter, year } = match.groups;
  const unit = year ? 365 : quarter ? 91.2 : month ? 30.4 : week ? 7 : 1;
  return { days: count * unit, end: at + match[0].length };
};

const KINDS: Readonly<Record<Unit | 'none', FigureKind>> = {
  money: 'money',
  percent: 'percent',
  times: 'multiple',
  points: 'points',
  'basis-points': 'percentPoints',
  pieces: 'count',
  none: 'plain',
};

const UP_SIGN = /[▲↑🔺📈]\s?[₩$€£¥+]?$/u;
const DOWN_SIGN = /[▼↓🔻📉]\s?[₩$€£¥-]?$/u;
const MAX_SIGN = 4;
/** What stands directly before most numbers, where no arrow needs to be looked for. */
const isNoArrow = characterTest(/[\p{L}\p{N}(|:,~/\n]/u);

const arrowBefore = (text: string, start: number): 1 | -1 | undefined => {
  const at = text.charAt(start - 1) === ' ' ? start - 2 : start - 1;
  if (at < 0 || isNoArrow(text.charCodeAt(at))) return undefined;
  const before = text.slice(Math.max(0, start - MAX_SIGN), start);
  if (UP_SIGN.test(before)) return 1;
  return DOWN_SIGN.test(before) ? -1 : undefined;
};

/** More weeks than that are shares: `1,822만 주`. */
const MAX_WEEKS = 600;
const SHARES = /\s?주(?![간일차년식당말요])/uy;

const PERCENT_POINTS = /%|percentage|퍼센트/iu;

/** Where the number itself starts, after a label such as `주당`. */
const FIRST_OF_NUMBER = /[+-]?\s?(?:[₩$€£¥]|[A-Z]{2,4}\$?\s?)?[+-]?\.?\d/u;

const BASIS_POINTS_IN_A_POINT = 100;
const NO_ALTERNATIVES: readonly number[] = [];

const figureOf = (text: string, reading: AmountReading): Figure => {
  const { value: amount, start, end, alternatives, lastPower, isApproximate } = reading;
  const sign = amount.isSigned ? (amount.value.isNegative() ? -1 : 1) : arrowBefore(text, start);
  const written = amount.value.toNumber();
  const isBasisPoints = amount.unit === 'basis-points';
  const value = (sign === -1 ? -Math.abs(written) : written) / (isBasisPoints ? BASIS_POINTS_IN_A_POINT : 1);
  const isAtNumber = isDigit(text.charCodeAt(start));
  const first = isAtNumber ? start : start + Math.max(0, text.slice(start, end).search(FIRST_OF_NUMBER));
  const shares =
    amount.unit === 'none' && Math.abs(value) > MAX_WEEKS ? textAt(SHARES, text, end) : undefined;
  const duration =
    (amount.unit === 'none' || (amount.unit === 'pieces' && /^52\s?주/u.test(text.slice(start, end)))) &&
    shares === undefined &&
    !amount.value.isNegative()
      ? durationAt(text, value, amount.unit === 'pieces' ? start + 2 : end)
      : undefined;
  return {
    start: first,
    end: duration?.end ?? end + (shares?.length ?? 0),
    kind:
      shares !== undefined
        ? 'count'
        : amount.unit === 'points' && PERCENT_POINTS.test(text.slice(first, end))
          ? 'percentPoints'
          : KINDS[amount.unit],
    value,
    alternatives:
      alternatives.length === 0 ? NO_ALTERNATIVES : alternatives.map((each) => each.value.toNumber()),
    sign,
    currency: amount.currency,
    lastPower: lastPower - (isBasisPoints ? 2 : 0),
    isApproximate,
    durationDays: duration?.days,
  };
};

const UP_TO_THREE = /\d{1,3}/uy;
const SPAN_UNIT = /\s?(?:일|주|개월|거래일)|[-\s](?:day|week|month|year)/iuy;
const isOfNumber = characterTest(/[\d.,/]/u);
const mayStartUnit = characterTest(/[\s일주개거-]/u);

/** Where integers of up to three digits stand before a unit of time. */
const spanStarts = (text: string): readonly number[] => {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    const isShort = end - at <= 3 && !isOfNumber(text.charCodeAt(at - 1));
    if (isShort && mayStartUnit(text.charCodeAt(end)) && endAt(SPAN_UNIT, text, end) !== undefined)
      starts.push(at);
    at = end;
  }
  return starts;
};

/** `50일`, `52-week`: spans, which are no amounts. */
const spansIn = (
  text: string,
  taken: readonly { readonly start: number; readonly end: number }[],
): readonly Figure[] =>
  spanStarts(text).flatMap((index): readonly Figure[] => {
    const digits = textAt(UP_TO_THREE, text, index) ?? '';
    const at = index + digits.length;
    if (taken.some(({ start, end }) => start < at && index < end)) return [];
    const value = Number(digits);
    const duration =
      durationAt(text, value, at) ?? (text.startsWith('일선', at) ? { days: value, end: at } : undefined);
    if (!duration) return [];
    return [
      {
        start: index,
        end: duration.end,
        kind: 'plain',
        value,
        alternatives: [],
        sign: undefined,
        currency: undefined,
        lastPower: 0,
        isApproximate: false,
        durationDays: duration.days,
      },
    ];
  });

export interface ReadFigures {
  readonly figures: readonly Figure[];
  readonly dates: readonly DateMention[];
}

/** People are counted too, which are no amount for the reader of entries. */
const PEOPLE = /(?<=[\d천만억])\s?명(?![동품령])/gu;

/** Every number and date of a plain text, left to right. */
export const readFigures = (plain: string, today: Temporal.PlainDate): ReadFigures => {
  const text = foldWidth(plain).replaceAll(PEOPLE, (counted) => ' '.repeat(counted.length));
  const dates = reportDatesIn(text, today, { allowsBareDays: true });
  const amounts = amountsIn(dates.length > 0 ? withoutReadings(text, dates) : text);
  const figures = amounts.map((amount) => figureOf(text, amount));
  const spans = spansIn(text, [...figures, ...dates]);
  return {
    figures: spans.length === 0 ? figures : [...figures, ...spans].toSorted((a, b) => a.start - b.start),
    dates,
  };
};

/** Digits without the zeros at the end. */
export const significantDigits = ({ value, lastPower }: Figure): number => {
  let digits = Math.round(Math.abs(value) / 10 ** lastPower);
  if (digits === 0 || !Number.isFinite(digits)) return 0;
  while (digits % 10 === 0) digits /= 10;
  return String(digits).length;
};
