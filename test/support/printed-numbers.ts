import { METRICS } from '#src/kernel/market/fact-metrics.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { type Amount, type AmountReading, amountsIn } from '#src/reading/amounts.ts';

/** Commands, moments, codes of shares, units of rates, and the share of a setting. */
const NO_FIGURES =
  /`[^`]*`|\d{4}-\d{2}(?:-\d{2})?|\b20\d\d(?![.,]?\d)|\d{1,2}:\d{2}(?::\d{2})?|\(\d{6}(?=[,)])|\b1 [A-Z]{3} =|100엔|52주|\(1 yen\)|\(95%/gu;

/** Counts of rows, entries and days need no fact. */
const isFigure = ({ value: { value, unit }, start, end }: AmountReading, text: string): boolean =>
  (unit !== 'none' && unit !== 'pieces') ||
  !value.isInteger() ||
  value.abs().greaterThanOrEqualTo(1000) ||
  text.slice(start, end).endsWith('주');

const COINS: ReadonlySet<string> = new Set(['BTC', 'ETH', 'XRP']);

const hasUnit = ({ unit: factUnit }: Fact, { unit, currency }: Amount): boolean => {
  // Of a coin, `0.5 Bitcoin` is a quantity.
  if (unit === 'money') return factUnit === currency || (factUnit === 'units' && COINS.has(currency ?? ''));
  if (unit === 'percent') return factUnit === '%';
  return unit === 'points' || factUnit !== '%';
};

/** Whether a fact has this number, as precisely as it is printed. */
const isCarriedBy = (fact: Fact, { value: amount, alternatives, lastPower }: AmountReading): boolean => {
  const most = 0.5 * 10 ** lastPower * (1 + 1e-9);
  const isPrinted = (exact: string): boolean =>
    [amount, ...alternatives].some(({ value, isSigned }) => {
      const [written, known] = [Number(value), Number(exact)];
      return Math.abs(isSigned ? written - known : Math.abs(written) - Math.abs(known)) <= most;
    });
  const { kind } = METRICS[fact.metric];
  return (
    (hasUnit(fact, amount) && kind !== 'date' && kind !== 'text' && isPrinted(fact.value)) ||
    (fact.operands ?? []).some(isPrinted)
  );
};

/** The numbers in an answer's text that no fact of it has, each with its line. */
export const missingNumbers = ({
  content,
  facts = [],
}: {
  readonly content: string;
  readonly facts?: readonly Fact[];
}): readonly string[] => {
  const text = content.replaceAll(NO_FIGURES, '');
  return amountsIn(text)
    .filter((each) => isFigure(each, text) && !facts.some((fact) => isCarriedBy(fact, each)))
    .map(({ start, end }) => {
      const [after = ''] = text.slice(end).split('\n', 1);
      return `${text.slice(text.lastIndexOf('\n', start) + 1, start)}»${text.slice(start, end)}«${after}`;
    });
};
