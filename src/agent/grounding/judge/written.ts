import type { Figure } from '../read/figures.ts';

/** The most that "about" may be away. */
const ABOUT_SHARE = 0.05;
const OVER_SHARE = 0.1;
const UNDER_SHARE = 0.07;

const OVER_BEFORE =
  /(?:over|above|more than|at least|exceeding|north of|upwards of|topping|past|beyond)\s(?:the\s)?[₩$€£¥]?$/iu;
const OVER_AFTER =
  /^\+|^\s?(?:이상|을?를?\s?(?:조금\s|살짝\s|약간\s)?(?:넘|웃도|웃돌|상회|돌파)|여(?=\s?[원달주])|선을?\s?(?:넘|돌파)|초반|초과|plus)/u;
const UNDER_BEFORE =
  /(?:under|below|less than|nearly|almost|just (?:short|shy) of|just (?:under|below)|close to|approaching|not quite|거의)\s(?:the\s)?[₩$€£¥]?$/iu;
const UNDER_AFTER =
  /^\s?(?:미만|이하|에\s?(?:육박|못\s?미치|근접|가까|조금\s?못)|을?를?\s?(?:조금\s|살짝\s|약간\s)?(?:밑도|밑돌|하회)|가까이|남짓|후반|도\s?(?:채|안|못))/u;
const LEVEL_BEFORE = /\b(?:low|mid|high|the)[- ][₩$€£¥]?$/iu;
const LEVEL_AFTER =
  /^s\b|^\s?(?:선(?!\p{L})|선[을에이까은도마]|대(?!\p{L})|대[에로를가의초중후입예였]|-?(?:level|handle|range|area|mark)\b|안팎|내외|전후|언저리|부근)/iu;
const LOOK = 24;

/** Between which sizes a number must lie to be written like this. */
export interface WrittenRange {
  readonly from: number;
  readonly to: number;
}

/** The power of ten of the last digit that is not zero: 5 for 100,000. */
const lastTellingPower = (value: number, lastPower: number): number => {
  let power = lastPower;
  let digits = Math.round(value / 10 ** lastPower);
  while (digits !== 0 && digits % 10 === 0 && power < 30) {
    digits /= 10;
    power += 1;
  }
  return power;
};

const HALF = 0.5;
const LARGE = 1e9;
const THREE_DIGITS = 100;
/** From here on, whole amounts are also cut off: 10,012,829 for 10,012,829.56. */
const CUT_FROM = 1_000;
const EPSILON = 1e-9;

const rangeOf = (
  value: number,
  { lastPower, isApproximate, start, end }: Figure,
  text: string,
): WrittenRange => {
  const stated = Math.abs(value);
  const unit = 10 ** lastPower;
  const coarse = 10 ** lastTellingPower(stated, lastPower);
  const before = text.slice(Math.max(0, start - LOOK), start);
  const after = text.slice(end, end + LOOK);
  const slack = EPSILON * Math.max(1, stated);
  // `3조 3,800억` for 3.3812 trillion: the zeros at the end of a large number may be none.
  const isRoundedLarge = stated >= LARGE && stated / coarse >= THREE_DIGITS;
  let from = stated - HALF * (isRoundedLarge ? coarse : unit);
  // Scaled and large amounts are also cut off: 10.2만 for 102,930.
  let to =
    stated + (lastPower > 0 || (lastPower === 0 && stated >= CUT_FROM) ? unit * (1 - EPSILON) : HALF * unit);
  if (isRoundedLarge) to = Math.max(to, stated + HALF * coarse);
  if (isApproximate) {
    const away = Math.max(unit, Math.min(HALF * coarse, ABOUT_SHARE * stated));
    from = Math.min(from, stated - away);
    to = Math.max(to, stated + away);
  }
  if (LEVEL_AFTER.test(after) || LEVEL_BEFORE.test(before)) {
    from = Math.min(from, stated - HALF * Math.min(coarse, stated));
    to = Math.max(to, stated + Math.min(coarse, stated));
  }
  if (OVER_BEFORE.test(before) || OVER_AFTER.test(after)) to = Math.max(to, stated * (1 + OVER_SHARE));
  if (UNDER_BEFORE.test(before) || UNDER_AFTER.test(after)) from = Math.min(from, stated * (1 - UNDER_SHARE));
  return { from: from - slack, to: to + slack };
};

/** The sizes that a number of this text can have, the likeliest reading first. */
export const rangesOf = (figure: Figure, text: string): readonly WrittenRange[] => [
  rangeOf(figure.value, figure, text),
  ...figure.alternatives.map((value) => rangeOf(value, figure, text)),
];

export const isIn = (ranges: readonly WrittenRange[], value: number): boolean => {
  const size = Math.abs(value);
  for (const { from, to } of ranges) if (size >= from && size <= to) return true;
  return false;
};

/** How much of a number its precision leaves open: 0.05 for 20, 0.0004 for 28.61. */
export const opennessOf = ([range]: readonly WrittenRange[]): number =>
  range ? (range.to - range.from) / Math.max((range.to + range.from) / 2, Number.EPSILON) : 1;
