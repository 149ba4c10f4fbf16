import { amountsIn } from '#src/language/amounts.ts';

/** Two levels of one thing: an alert waits for one. */
export interface AlertRange {
  readonly name: string;
  /** Both as they were written. */
  readonly low: string;
  readonly high: string;
}

const BETWEEN = /^ ?(?:and|to|-|–|~|에서|부터) ?$/iu;
const SAYS_RANGE = /\b(?:between|outside|within|range)\b|사이|범위|밖으?로?|벗어/iu;
const BESIDE =
  /^(?:is|are|stays?|goes|gets?|trades?|price|leaves?|moves?|in|out|of|a|the|range|inside|outside|within|between|from|주가|가격|시세|주가가|가격이)$/iu;

/** `AAPL between 190 and 210`, `삼성전자 8만원에서 9만원 사이`, `AAPL 190~210`. */
export const readRange = (text: string): AlertRange | undefined => {
  const [first, second, ...others] = amountsIn(text);
  if (!first || !second || others.length > 0) return undefined;
  const joint = text.slice(first.end, second.start);
  const around = `${text.slice(0, first.start)} ${text.slice(second.end)}`;
  if (!BETWEEN.test(joint) || !(SAYS_RANGE.test(around) || joint.includes('~'))) return undefined;
  const words = text.slice(0, first.start).trim().split(' ');
  const last = words.findLastIndex((word) => !BESIDE.test(word));
  const name = words.slice(0, last + 1).join(' ');
  const isUpward = first.value.value.lessThanOrEqualTo(second.value.value);
  const [one, other] = [first, second].map(({ start, end }) => text.slice(start, end).trim());
  if (name === '' || one === undefined || other === undefined) return undefined;
  return isUpward ? { name, low: one, high: other } : { name, low: other, high: one };
};
