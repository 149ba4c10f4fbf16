import { wilderAverage } from './moving-averages.ts';
import type { NumberBar, Series } from './series.ts';

/** How far a bar reached, the gap from the close before it included. */
const trueRange = ({ high, low }: NumberBar, previousClose: number): number =>
  Math.max(high, previousClose) - Math.min(low, previousClose);

/** Average true range after Wilder; the first bar, with no close before it, counts from its low to its high. */
export const atr = (bars: readonly NumberBar[], period = 14): Series =>
  wilderAverage(
    bars.map((bar, index) => trueRange(bar, bars[index - 1]?.close ?? bar.low)),
    period,
  );
