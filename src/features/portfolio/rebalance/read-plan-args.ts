import type { Currency, Decimal } from '#src/kernel/money.ts';
import { type AmountReading, amountsIn } from '#src/reading/amounts.ts';
import { numberAt } from '#src/reading/numbers.ts';
import { foldWidth } from '#src/reading/reading.ts';

/** A name and its weight in percent. */
export interface WrittenTarget {
  readonly name: string;
  readonly percent: Decimal;
}

/** The plan that somebody typed. */
export interface PlanArgs {
  readonly targets: readonly WrittenTarget[];
  readonly newMoney?: { readonly amount: Decimal; readonly currency: Currency | undefined };
  /** In percentage points. */
  readonly band?: Decimal;
  readonly feePercent?: Decimal;
  readonly canSell: boolean;
  /** Text that was not understood. */
  readonly leftOver?: string;
}

const CASH = /^(?:현금|예수금|원화|cash)$/iu;
export const isCashName = (name: string): boolean => CASH.test(name.trim());

const BAND_BEFORE =
  /(?:±|\+\/-|밴드|오차|허용(?:\s?(?:범위|오차))?|band|drift|within|tolerance)(?: of)?[\s:=]{0,3}$/iu;
const FEE_BEFORE = /(?:수수료|fees?|commission)(?: of)?[\s:=]{0,3}$/iu;
const SELLS = /매도\s?(?:도\s?)?(?:포함|허용)|팔아도|(?:allow|with|including) (?:sales|selling|sells)/iu;
/** Words around the numbers that add nothing. */
const FILLER =
  /(?:새로운|새|신규|추가)\s?(?:돈|자금|현금|투자금)(?:으로|을|를|로|만)?|추가\s?(?:매수|납입)|(?<!\p{L})(?:더\s?)?넣(?:어|으면|을)\p{L}{0,4}|(?<!\p{L})(?:목표|비중|비율|으로|로|을|를|만|해줘|맞춰|맞춰줘|나머지)(?!\p{L})|\b(?:with|new money|fresh money|new cash|extra|more|additional|and|to|of|the|into|target|weights?|invest(?:ing)?|adding|add)\b/giu;
/** Keeps the signs of `BTC/KRW` and `S&P`. */
const PUNCTUATION = /[:=,;·→±]+|(?<!\p{L})[/&]|[/&](?!\p{L})/gu;
/** A weight is at most 100; a larger number is part of a name. */
const MOST_PERCENT = 100;

const isWeight = ({ value: { unit, isSigned, value } }: AmountReading): boolean =>
  (unit === 'none' || unit === 'percent') && !isSigned && value.lessThanOrEqualTo(MOST_PERCENT);

/** In `NVDA 50 BTC 30` every number is a weight, so a coin or the word for cash after one is the next name. */
const withoutName = (amount: AmountReading, text: string): AmountReading => {
  const number = numberAt(text, amount.start);
  const { value, isSigned, isCoin } = amount.value;
  if (!number || isSigned || value.greaterThan(MOST_PERCENT)) return amount;
  if (!isCoin && !isCashName(text.slice(number.end, amount.end))) return amount;
  return { ...amount, value: { value, isSigned, unit: 'none' }, end: number.end };
};

const isNewMoney = ({ value: { unit, isSigned, value, isCoin } }: AmountReading): boolean =>
  value.greaterThan(0) && isCoin !== true && (unit === 'money' || (unit === 'none' && isSigned));

/** Reads the text between two numbers as a name. */
const nameIn = (text: string): string =>
  text
    .replaceAll(FILLER, ' ')
    .replaceAll(PUNCTUATION, ' ')
    .replaceAll(/\s{1,64}/gu, ' ')
    .trim();

interface Marked {
  readonly text: string;
  readonly weights: readonly AmountReading[];
}

/** In `KODEX 200 30` the first of two adjacent numbers belongs to the name. */
const ownWeights = ({ text, weights }: Marked): readonly AmountReading[] =>
  weights.filter((weight, index) => {
    const next = weights[index + 1];
    return !next || weight.value.unit === 'percent' || text.slice(weight.end, next.start).trim() !== '';
  });

/** Reads `AAPL 40 MSFT 60`, or `40% AAPL 60% MSFT` if a number comes first. */
const pairsIn = (marked: Marked): readonly WrittenTarget[] => {
  const { text } = marked;
  const weights = ownWeights(marked);
  const [first] = weights;
  if (!first) return [];
  const isNumberFirst = nameIn(text.slice(0, first.start)) === '';
  return weights.map(({ start, end, value: { value: percent } }, index) => {
    const written = isNumberFirst
      ? text.slice(end, weights[index + 1]?.start ?? text.length)
      : text.slice(weights[index - 1]?.end ?? 0, start);
    return { name: nameIn(written), percent };
  });
};

/** Never throws. Text that is not understood is in `leftOver`. */
export const readPlanArgs = (typed: string): PlanArgs => {
  const canSell = SELLS.test(typed);
  let text = foldWidth(typed).replace(SELLS, ' ');
  const blankOut = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    text = `${text.slice(0, start)}${' '.repeat(end - start)}${text.slice(end)}`;
  };
  let band: Decimal | undefined;
  let feePercent: Decimal | undefined;
  let newMoney: PlanArgs['newMoney'];
  const weights: AmountReading[] = [];
  for (const found of amountsIn(text)) {
    const amount = withoutName(found, text);
    const before = text.slice(0, amount.start);
    const { value, unit, currency } = amount.value;
    const mark = BAND_BEFORE.exec(before) ?? FEE_BEFORE.exec(before);
    const start = mark?.index ?? amount.start;
    if (FEE_BEFORE.test(before)) feePercent = value.abs();
    else if (unit === 'points' || mark) band = value.abs();
    else if (isNewMoney(amount)) newMoney = { amount: value, currency };
    else if (isWeight(amount)) {
      weights.push(amount);
      continue;
    } else continue;
    blankOut({ start, end: amount.end });
  }
  const targets = pairsIn({ text, weights });
  const last = targets.length > 0 ? '' : nameIn(text);
  const nameless = targets.some(({ name }) => name === '')
    ? weights.map(({ value }) => `${value.value.toFixed()}%`)
    : [];
  const leftOver = [last, ...nameless].filter((each) => each !== '').join(' ');
  return {
    targets: targets.filter(({ name }) => name !== ''),
    ...(newMoney && { newMoney }),
    ...(band && { band }),
    ...(feePercent && { feePercent }),
    canSell,
    ...(leftOver !== '' && { leftOver }),
  };
};
