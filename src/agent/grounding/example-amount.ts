import type { EvidenceFact } from './fact-index.ts';
import type { Figure } from './figures.ts';
import type { Range } from './layout.ts';
import { isWritten } from './matching.ts';
import { pricedBy } from './rates.ts';
import { type ReadAnswer, within } from './read-answer.ts';

/** What follows an amount that is converted: `1,000달러는 약 146만 7,350원`, `¥10,000 is about ₩94,871`. */
const IS_CONVERTED =
  /^(?:[은는]|이?면|으로는?\s(?:살|환전|바꾸)|\s?[=≈→]|\s(?:is|are|equals?|converts?|would be|buys|gets)\s)/u;
const LOOK = 12;
/** Yen are quoted by the hundred. */
const HUNDRED = '100';

interface Conversion {
  /** The amount in the other currency. */
  readonly into: Figure;
  readonly formula: string;
}

interface Rate {
  readonly of: string;
  readonly in: string | undefined;
  readonly value: number;
  readonly text: string;
}

const ratesOf = (facts: readonly EvidenceFact[]): readonly Rate[] =>
  facts.flatMap((fact) => {
    const of = fact.isNewest && fact.metric !== 'change' ? pricedBy(fact) : undefined;
    if (of === undefined || fact.value === 0) return [];
    const value = fact.parameter === HUNDRED ? fact.value / 100 : fact.value;
    return [{ of, in: fact.currency, value, text: fact.known.fact.value }];
  });

/** How an amount in one currency follows from one in another: at the rate of either, or of both in a third one. */
const formulaFor = (from: Figure, into: Figure, rates: readonly Rate[]): string | undefined => {
  const own = rates.filter((rate) => rate.of === from.currency);
  const others = rates.filter((rate) => rate.of === into.currency);
  for (const rate of own)
    if (rate.in === into.currency && isWritten(from.value * rate.value, into, undefined))
      return `${from.value} × ${rate.text}`;
  for (const rate of others) {
    if (rate.in === from.currency && isWritten(from.value / rate.value, into, undefined))
      return `${from.value} ÷ ${rate.text}`;
    for (const first of own)
      if (first.in === rate.in && isWritten((from.value * first.value) / rate.value, into, undefined))
        return `${from.value} × ${first.text} ÷ ${rate.text}`;
  }
  return undefined;
};

/** An amount that the answer takes as an example, if it says rightly what that is in another currency. */
export const exampleConversion = (
  { text, figures, names }: ReadAnswer,
  figure: Figure,
  sentence: Range,
  facts: readonly EvidenceFact[],
): Conversion | undefined => {
  const { kind, currency, start, end } = figure;
  if (kind !== 'money' || figure.sign !== undefined || !IS_CONVERTED.test(text.slice(end, end + LOOK)))
    return undefined;
  // `비트코인 1억 4천만 원은`: the price of something.
  if (within(names, sentence.start, start).some((name) => name.end <= start)) return undefined;
  const into = within(figures, end, sentence.end).find(
    (other) => other.kind === 'money' && other.currency !== currency,
  );
  const formula = into && formulaFor(figure, into, ratesOf(facts));
  return into && formula !== undefined ? { into, formula } : undefined;
};
