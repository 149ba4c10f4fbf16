import type { FigureKind } from '../read/figures.ts';

const UNIT_KINDS: ReadonlyMap<string, FigureKind> = new Map<string, FigureKind>([
  ['', 'plain'],
  ['%', 'percent'],
  ['%p', 'percentPoints'],
  ['points', 'plain'],
  ['ratio', 'plain'],
  ['number', 'plain'],
  ['x', 'multiple'],
  ['units', 'count'],
  ['shares', 'count'],
  ['pieces', 'count'],
  ['count', 'count'],
  ['rows', 'count'],
  ['days', 'count'],
  ['date', 'date'],
]);

const CURRENCY = /^[A-Z]{3,5}$/;

/** How a value with this unit is written. Undefined for words. */
export const kindOfUnit = (unit: string): FigureKind | undefined =>
  UNIT_KINDS.get(unit) ?? (CURRENCY.test(unit) ? 'money' : undefined);

/** A number with its unit. */
export interface Measure {
  readonly kind: FigureKind;
  readonly currency: string | undefined;
}

export const isPercent = ({ kind }: Measure): boolean => kind === 'percent' || kind === 'percentPoints';

/** Whether two numbers may be the same one: a table writes a unit once, and people leave it out. */
export const mayBeSame = (one: Measure, other: Measure): boolean => {
  if (one.kind === 'date' || other.kind === 'date') return one.kind === other.kind;
  if (one.kind === other.kind)
    return (
      one.kind !== 'money' ||
      one.currency === undefined ||
      other.currency === undefined ||
      one.currency === other.currency
    );
  if (one.kind === 'plain' || other.kind === 'plain') return true;
  if (isPercent(one) || isPercent(other)) return isPercent(one) && isPercent(other);
  // `2,545.37 points` of an index whose fact is in its currency.
  return one.kind === 'points' || other.kind === 'points';
};

/** A ratio without a unit is also said in percent: 0.0812 for 8.12 %. */
export const PERCENT = 100;
