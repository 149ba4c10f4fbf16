import type { NumberBar } from './series.ts';

export interface VolumeBin {
  readonly low: number;
  readonly high: number;
  readonly volume: number;
}

export interface VolumeProfile {
  /** From the lowest prices up. */
  readonly bins: readonly VolumeBin[];
  /** Where most was traded. */
  readonly pointOfControl: VolumeBin;
  /** Around it, where 70 % of all was traded. */
  readonly valueArea: { readonly low: number; readonly high: number };
}

const VALUE_AREA = 0.7;

/** The part of a bar's volume that falls between two prices, if it was traded evenly from its low to its high. */
const volumeBetween = (bar: NumberBar, low: number, high: number, isLast: boolean): number => {
  if (bar.high === bar.low) {
    return bar.low >= low && (bar.low < high || isLast) ? bar.volume : 0;
  }
  const overlap = Math.min(bar.high, high) - Math.max(bar.low, low);
  return overlap > 0 ? (bar.volume * overlap) / (bar.high - bar.low) : 0;
};

/** How much was traded at which prices. Null where no volume is counted, as with indices and currencies. */
export const volumeProfile = (bars: readonly NumberBar[], binCount = 24): VolumeProfile | null => {
  const total = bars.reduce((sum, { volume }) => sum + volume, 0);
  if (!(total > 0)) return null;
  const lowest = Math.min(...bars.map(({ low }) => low));
  const highest = Math.max(...bars.map(({ high }) => high));
  const count = highest === lowest ? 1 : binCount;
  const edge = (index: number): number =>
    index === count ? highest : lowest + ((highest - lowest) * index) / count;
  const bins = Array.from({ length: count }, (_, index): VolumeBin => {
    const [low, high, isLast] = [edge(index), edge(index + 1), index === count - 1];
    return {
      low,
      high,
      volume: bars.reduce((sum, bar) => sum + volumeBetween(bar, low, high, isLast), 0),
    };
  });

  const top = bins.reduce(
    (best, { volume }, index) => (volume > (bins[best]?.volume ?? 0) ? index : best),
    0,
  );
  const pointOfControl = bins[top];
  if (!pointOfControl) return null;
  // Grows from the middle towards the busier neighbour; upwards where both are alike.
  let [from, to, held] = [top, top, pointOfControl.volume];
  while (held < total * VALUE_AREA && (from > 0 || to < count - 1)) {
    const below = bins[from - 1]?.volume ?? -1;
    const above = bins[to + 1]?.volume ?? -1;
    if (above >= below) to += 1;
    else from -= 1;
    held += Math.max(above, below);
  }
  return { bins, pointOfControl, valueArea: { low: edge(from), high: edge(to + 1) } };
};
