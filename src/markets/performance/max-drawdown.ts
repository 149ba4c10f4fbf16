import { type Figure, tooFew } from './figure.ts';

interface DayValue {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly value: number;
}

/** The deepest fall from a high to a later low. */
export interface Drawdown {
  /** From 0 to 1: 0.25 is a fall by a quarter. */
  readonly depth: number;
  /** The last day at the high, and the first day at the low. */
  readonly peakDay: number;
  readonly troughDay: number;
  /** The first day back at the high. Undefined if it has not recovered. */
  readonly recoveryDay: number | undefined;
}

const MIN_VALUES = 2;

/** Expects values of at least zero. With deposits or withdrawals, pass the growth of one unit, not the value held. */
export const maxDrawdown = (values: readonly DayValue[]): Figure<Drawdown> => {
  const [first] = values;
  if (!first || values.length < MIN_VALUES) return tooFew(MIN_VALUES, values.length);
  let peak = first;
  let deepest: Omit<Drawdown, 'recoveryDay'> & { readonly high: number } = {
    depth: 0,
    peakDay: first.day,
    troughDay: first.day,
    high: first.value,
  };
  for (const each of values) {
    if (each.value >= peak.value) peak = each;
    const depth = peak.value > 0 ? Math.min(1, 1 - each.value / peak.value) : 0;
    if (depth > deepest.depth) deepest = { depth, peakDay: peak.day, troughDay: each.day, high: peak.value };
  }
  const { depth, peakDay, troughDay, high } = deepest;
  const recoveryDay = values.find(({ day, value }) => day > troughDay && value >= high)?.day;
  return {
    status: 'ok',
    value: { depth, peakDay, troughDay, recoveryDay: depth === 0 ? undefined : recoveryDay },
  };
};
