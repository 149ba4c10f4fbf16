import { type ReadAnswer, within } from '../read/answer.ts';
import type { Figure } from '../read/figures.ts';
import type { AnswerLine, TextRange } from '../read/layout.ts';

/** Names with numbers that are no figures. */
const NAMES =
  /24\/7|s&p\s?(?:500|100|400|600)|코스피\s?(?:200|100|50)|kospi\s?(?:200|100|50)|코스닥\s?150|kosdaq\s?150|krx\s?\d{2,3}|나스닥\s?100|nasdaq[- ]?100|러셀\s?\d{4}|russell\s?\d{4}|닛케이\s?225|nikkei\s?225|ftse\s?100|csi\s?300|dow\s?(?:jones\s?)?30|stoxx\s?(?:50|600)|topix\s?\d{2,3}|fortune\s?\d{3}|form\s?\d{1,2}|10-[kq]|8-k|401\(?k\)?|web\s?3|g\d{1,2}(?!\d)|\d{1,2}[a-z]{1,2}\s?(?:공정|나노|process)|(?:iso|ifrs|gaap|asc)\s?\d+|(?:kodex|tiger|arirang|kbstar|rise|ace|sol|hanaro)\s[^\s]*\d+/giu;

/** Words after a count that is no market figure. */
const COUNTER =
  /^\s?(?:가지|곳|명|번째|번|차례|회(?!사)|단계|분(?!기)|초(?!과)|시간|시(?!총|가|세|장|작)|위(?!\p{L})|등(?!락)|호|권|페이지|배당|세대|나노|인치|종목|기업|회사|개(?!월)|trading days|companies|stocks|names|pips|things|reasons|points? (?:to|of)|steps?|options?|ways?|factors?|scenarios?|hours?|minutes?|seconds?|h|min|d|am|pm|nm|st|nd|rd|th|of the)(?![a-z])/iu;
/** `15~20분`. */
const COUNTED_RANGE = /^\s?[~–-]\s?\d{1,3}\s?(?:분(?!기)|초|시간|명|회|번|minutes?|seconds?|hours?)/iu;
/** `251 daily bars`, `일봉 244개`, `100개 중 6개`, `5 of 100`: the length of a list. */
const LISTED_AFTER =
  /^(?:개)?\)?\s?(?:중(?!\p{L})|of (?:the )?\d|(?:daily |weekly |monthly |\d{1,2}-minute )?bars)|^ places/iu;
const LISTED_BEFORE = /(?:(?:일|주|월|분)봉|결과|전체|뽑은|\d개? 중|\d of(?: the)?)\s?$/iu;
const MAX_LISTED = 10_000;
/** `06:00 (+1)`: the next day. */
const NEXT_DAY = /\d:\d{2}\s\($/u;
/** `on 1 day in 20`. */
const ONE_IN = /\b1 day in $/iu;
/** `$10,000 would have become …`. */
const POWER_OF_TEN = /^\D{0,3}10{2,9}(?!\d)/u;
const LAST_DAY = 31;
const DAY_AFTER = /^(?:일)?\s?[:：–—-]\s/u;
const MAX_COUNTED = 100;
const SMALL = 10;
/** Yen are quoted by the hundred. */
const HUNDRED = 100;
const YEARS = { first: 1900, last: 2100 } as const;
const ORDINAL_BEFORE = /(?:제|#|no\.?\s?|top\s|상위\s|하위\s|step\s|q|fy\s?|h)$/iu;
const THRESHOLD = /rsi|stochastic|스토캐스틱|과매수|과매도|overbought|oversold|볼린저|bollinger/iu;
const THRESHOLDS: ReadonlySet<number> = new Set([20, 30, 40, 50, 60, 70, 80]);
const THRESHOLD_CUE =
  /^\s?(?:선|이상|이하|사이|을|를|은|는|과|와|~|-|\/|·|보다|에|,|\))|^\s?(?:and|or|to|level|mark|threshold|line)/iu;
const THRESHOLD_BEFORE =
  /(?:above|below|over|under|between|threshold of|level of|and|기준|위|아래|통상|보통|일반적으로|[(/~-])\s?$/iu;
/** `1주당`, `1달러당`, `per 1 USD`, `100엔당`. */
const PER_UNIT = /^\s?(?:주|달러|엔|유로|원|위안|코인|btc|share|usd)?\s?(?:당|에 대해|=)/iu;
/** `RSI(14)`, `MA20`, `SMA 50`, `EMA(12)`. */
const INDICATOR_BEFORE =
  /(?:rsi|sma|ema|ma|atr|macd|이동평균|이평|볼린저|bollinger|stochastic|adx|cci|var)\s?[([]?\s?(?:\d{1,3}\s?[,/]\s?){0,2}$/iu;
const INDICATOR_AFTER =
  /^\s?(?:일선|일\s?(?:이동평균|이평|ema|sma|rsi|단순|지수)|-?\s?(?:day|period|week)|주선|[)\]]|\s?[,/]\s?\d{1,3}\s?[)\]])/iu;
/** `20-, 50- and 200-day averages`. */
const SUSPENDED = /^-(?:,|\s(?:and|or)\s)/iu;
const MAX_PARAMETER = 400;
const LOOK = 24;
/** Longer than the names of companies. */
const LONGEST_NAME = 200;
/** `401k`, read with its scale. The numbers of other names have at most four digits. */
const LARGEST_OF_NAME = 401_000;

const covers = (name: TextRange, { start, end }: Figure): boolean => name.start <= start && end <= name.end;

const isInteger = (value: number): boolean => Number.isInteger(value);

/** Why a number needs no source. A `label` is no amount: nothing is calculated from it. */
export type Exemption = 'label' | 'loose';

/** Tells which numbers of an answer need no source. `isParameter` tells those that facts have as parameters. */
export const exemptions = (
  answer: ReadAnswer,
  isParameter: (value: number) => boolean,
): ((figure: Figure, line: AnswerLine) => Exemption | undefined) => {
  const isInNumberedName = (figure: Figure): boolean => {
    if (figure.kind === 'money' || figure.kind === 'percent' || figure.value > LARGEST_OF_NAME) return false;
    const from = Math.max(0, figure.start - LOOK);
    const around = answer.text.slice(from, figure.end + LOOK);
    NAMES.lastIndex = 0;
    for (let name = NAMES.exec(around); name; name = NAMES.exec(around))
      if (covers({ start: from + name.index, end: from + NAMES.lastIndex }, figure)) return true;
    return false;
  };
  return (figure, line) => {
    if (figure.start < line.markerEnd) return 'label';
    const named = within(answer.names, Math.max(0, figure.start - LONGEST_NAME), figure.start + 1);
    if (named.some((name) => covers(name, figure)) || isInNumberedName(figure)) return 'label';
    if (isLabel(figure, line, answer.text, isParameter)) return 'label';
    return isLoose(figure, line, answer.text) ? 'loose' : undefined;
  };
};

const isWholeNumber = ({ value, lastPower }: Figure): boolean => isInteger(value) && lastPower >= 0;

/** `52-week`, `10-year`, `52주`: which one it is, not how long something took. */
const SPAN_NAME = /-|^52\s?주/u;

/** A parameter, a day, a year, a level: what a number is called by. */
const isLabel = (
  figure: Figure,
  line: AnswerLine,
  text: string,
  isParameter: (value: number) => boolean,
): boolean => {
  const { start, end, kind, value } = figure;
  const before = text.slice(Math.max(0, start - LOOK), start);
  const after = text.slice(end, end + LOOK);
  const isWhole = isWholeNumber(figure);
  if (isWhole && value >= 0 && value <= MAX_PARAMETER && (kind === 'plain' || kind === 'count')) {
    const isOfIndicator = INDICATOR_BEFORE.test(before);
    if (isOfIndicator && (INDICATOR_AFTER.test(after) || /[([]\s?(?:\d{1,3}\s?[,/]\s?){0,2}$/u.test(before)))
      return true;
    if (
      isOfIndicator &&
      isParameter(value) &&
      !/^[.,]?\d|^\s?(?:%|포인트|points|입니다|이고|으로)/u.test(after)
    )
      return true;
    if (figure.durationDays === undefined && /^\s?일선/u.test(after)) return true;
    if (SUSPENDED.test(after)) return true;
  }
  if (figure.durationDays !== undefined)
    return SPAN_NAME.test(text.slice(start, end)) || /^\s?(?:이동평균|이평)/u.test(after);
  if (kind !== 'plain' || !isWhole) return false;
  if (value >= YEARS.first && value <= YEARS.last && !text.slice(start, end).includes(',')) return true;
  if (ORDINAL_BEFORE.test(before)) return true;
  // `- 18: Nvidia`, below the name of a month.
  return value <= LAST_DAY && DAY_AFTER.test(after) && text.slice(line.markerEnd, start).trim() === '';
};

const isLoose = (figure: Figure, line: AnswerLine, text: string): boolean => {
  const { start, end, kind, value } = figure;
  const before = text.slice(Math.max(0, start - LOOK), start);
  const after = text.slice(end, end + LOOK);
  const isWhole = isWholeNumber(figure);
  if (figure.durationDays !== undefined) return true;
  // `두 배`, `One US dollar`: round words, not figures.
  if (!/\d/u.test(text.slice(start, end))) return true;
  if (kind === 'money' && POWER_OF_TEN.test(text.slice(start, end).replaceAll(',', ''))) return true;
  if (value === HUNDRED && (figure.currency === 'JPY' || /(?:jpy|엔|yen)[^\d]{0,8}$/iu.test(before)))
    return true;
  if ((value === 1 || value === 100 || value === 10) && PER_UNIT.test(after)) return true;
  if (value === 1 && kind === 'money' && /^\s?(?:=|당|에)/u.test(after)) return true;
  if (
    kind === 'percent' &&
    (value === 95 || value === 99) &&
    /var|신뢰|confidence|value at risk|최대\s?손실/iu.test(text.slice(line.start, line.end))
  )
    return true;
  if (value === 1 && figure.sign === 1 && NEXT_DAY.test(before)) return true;
  if (isWhole && value <= MAX_LISTED && figure.sign === undefined && (kind === 'count' || kind === 'plain')) {
    const counted = text.slice(start, end).endsWith('개') || kind === 'plain';
    if (counted && (LISTED_AFTER.test(after) || LISTED_BEFORE.test(before))) return true;
    if (ONE_IN.test(before)) return true;
  }
  if (kind === 'count') return isWhole && value <= MAX_COUNTED && COUNTER.test(after);
  if (kind !== 'plain') return false;
  if (
    THRESHOLDS.has(value) &&
    THRESHOLD.test(text.slice(line.start, line.end)) &&
    (THRESHOLD_CUE.test(after) || THRESHOLD_BEFORE.test(before))
  )
    return true;
  if (!isWhole) return false;
  if (value <= MAX_COUNTED && (COUNTER.test(after) || COUNTED_RANGE.test(after))) return true;
  if (figure.sign === undefined && value <= SMALL && !INDICATOR_BEFORE.test(before)) return true;
  return false;
};
