import type { QuotedFrom } from '../facts/evidence.ts';
import type { KnownNumber, Pool } from '../facts/pool.ts';
import { mayBeSame, PERCENT } from '../facts/units.ts';
import { significantDigits } from '../read/figures.ts';
import type { Target } from './derive.ts';
import { isIn } from './written.ts';

/** With fewer digits, a number in another scale is the same by chance. */
const TELLING_DIGITS = 3;
const CELLS_OF_ROW = 3;
export const TEXT_SCALES = [1e3, 1e6, 1e8, 1e9, 1e12] as const;

const isRatio = ({ kind }: KnownNumber): boolean => kind === 'plain' || kind === 'multiple';

export const unscaled = (known: KnownNumber, target: Target): boolean =>
  mayBeSame(known, target.figure) && isIn(target.ranges, known.value);

/** The numbers of the conversation that are written like this one. */
const numbersLike = (target: Target, pool: Pool): readonly KnownNumber[] => {
  const { figure, ranges } = target;
  const found: KnownNumber[] = [];
  const isTelling = significantDigits(figure) >= TELLING_DIGITS;
  for (const { from, to } of ranges) {
    for (const known of pool.between(Math.max(from, 0), to)) if (unscaled(known, target)) found.push(known);
    if (found.length > 0) return found;
    // A ratio without a unit is also said in percent, and yen are quoted by the hundred.
    for (const scale of figure.kind === 'percent' || figure.currency === 'KRW' ? [PERCENT, 1 / PERCENT] : [])
      for (const known of pool.between(Math.max(from, 0) / scale, to / scale))
        if (figure.kind === 'percent' ? scale > 1 && isRatio(known) : known.fact?.entity.startsWith('JPY'))
          found.push(known);
    if (figure.kind === 'percent') continue;
    for (const scale of TEXT_SCALES)
      for (const factor of [scale, 1 / scale])
        for (const known of pool.between(from / factor, to / factor)) {
          const line = known.scanned && pool.lines[known.scanned.line];
          if (!line || !mayBeSame(known, figure)) continue;
          const isOfTable =
            factor > 1 &&
            known.kind === 'plain' &&
            line.from === 'stranger' &&
            line.numbers.length >= CELLS_OF_ROW;
          if (line.scales.includes(scale) || (isTelling && line.scales.length === 0 && isOfTable))
            found.push(known);
        }
  }
  return found;
};

/** `₩431.20` where the data has $431.20: a number without a unit does not make it right. */
const withoutOtherCurrency = (
  found: readonly KnownNumber[],
  { figure, ranges: [range] }: Target,
  pool: Pool,
): readonly KnownNumber[] => {
  if (figure.kind !== 'money' || figure.currency === undefined || found.length === 0 || !range) return found;
  if (found.some(({ kind, currency }) => kind === 'money' && currency === figure.currency)) return found;
  const isOther = pool
    .between(range.from, range.to)
    .some(({ fact, currency }) => fact && currency !== undefined && currency !== figure.currency);
  return isOther ? found.filter(({ kind }) => kind !== 'plain') : found;
};

const RANK: Readonly<Record<QuotedFrom, number>> = {
  person: 2,
  tool: 3,
  context: 4,
  stranger: 5,
  answer: 6,
};

/** Facts and texts that have a number, the best first: those of the subjects that the sentence names. */
export const knownNumbers = (
  target: Target,
  pool: Pool,
  subjects: ReadonlySet<string>,
): readonly KnownNumber[] => {
  const rank = ({ fact, scanned, kind }: KnownNumber): number =>
    (fact ? (subjects.has(fact.entity) ? 0 : 1) : RANK[scanned?.from ?? 'answer']) +
    (kind === target.figure.kind ? 0 : 0.5);
  return withoutOtherCurrency(numbersLike(target, pool), target, pool).toSorted((a, b) => rank(a) - rank(b));
};
