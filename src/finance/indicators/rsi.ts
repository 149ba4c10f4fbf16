import { wilderAverage } from './moving-averages.ts';
import { type Series, shifted } from './series.ts';

/** Where nothing moved at all neither side is stronger. */
const BALANCED = 50;

/** Relative strength index after Wilder, 0 to 100. The first needs `period` changes, so one value more. */
export const rsi = (values: readonly number[], period = 14): Series => {
  const changes = values.slice(1).map((value, index) => value - (values[index] ?? value));
  const gains = wilderAverage(
    changes.map((change) => Math.max(change, 0)),
    period,
  );
  const losses = wilderAverage(
    changes.map((change) => Math.max(-change, 0)),
    period,
  );
  const strength = gains.map((gain, index) => {
    const loss = losses[index] ?? null;
    if (gain === null || loss === null) return null;
    return gain + loss === 0 ? BALANCED : (100 * gain) / (gain + loss);
  });
  return values.length === 0 ? [] : shifted(strength, 1);
};
