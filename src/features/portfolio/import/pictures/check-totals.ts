import type { Currency, Decimal } from '#src/kernel/money.ts';
import { rowKindOf } from '../columns/row-kinds.ts';
import { checkHolding, checkTrade, type CheckedRow } from './check-rows.ts';
import type { PictureForm, PictureTotal } from './picture-form.ts';
import {
  currencyIn,
  minus,
  overlaps,
  plus,
  type Range,
  type Shown,
  shownNumber,
  shownRow,
  times,
} from './shown-numbers.ts';

/** A total on the picture that the rows were compared with. */
export type TotalKind = 'value' | 'cost' | 'gain' | 'bought' | 'sold';

/** What the totals of the picture say about its rows. */
export type TotalFinding =
  | { readonly kind: 'fits' }
  | {
      readonly kind: 'differs';
      readonly total: TotalKind;
      readonly shown: Decimal;
      readonly computed: Decimal;
      readonly currency: Currency | undefined;
    }
  /** Every row adds up, and the total is larger: the list goes on outside of the picture. */
  | {
      readonly kind: 'cut';
      readonly missing: Decimal;
      readonly currency: Currency | undefined;
    }
  | { readonly kind: 'count'; readonly shown: number; readonly read: number };

export interface CheckedPicture {
  /** In the order of the picture. */
  readonly rows: readonly CheckedRow[];
  readonly findings: readonly TotalFinding[];
  /** The cash on the picture, which is not recorded. */
  readonly cash: readonly { readonly amount: Decimal; readonly currency: Currency | undefined }[];
}

interface Compared {
  readonly total: TotalKind;
  readonly shown: Shown;
  readonly sum: Range;
  /** The total may include the cash. */
  readonly cash: Shown | undefined;
  readonly rows: readonly CheckedRow[];
}

const sumOf = (ranges: readonly (Range | undefined)[]): Range | undefined => {
  const known = ranges.flatMap((range) => range ?? []);
  const [first, ...others] = known;
  return first && known.length === ranges.length ? others.reduce(plus, first) : undefined;
};

const isFit = ({ shown, sum, cash }: Compared): boolean =>
  overlaps(shown.range, sum) || (cash !== undefined && overlaps(shown.range, plus(sum, cash.range)));

type Side = (row: CheckedRow) => 'buy' | 'sell' | undefined;

const valueOf = ({ row: { value, quantity, price } }: CheckedRow): Range | undefined =>
  value?.range ?? (quantity && price && times(quantity.range, price.range));

/** The totals that can be compared, because every row of their currency shows its part. */
const comparable = (
  total: PictureTotal,
  form: PictureForm,
  rows: readonly CheckedRow[],
  sideOf: Side,
): readonly Compared[] => {
  const money = currencyIn(total.currency) ?? currencyIn(form.currency);
  const cash = shownNumber(total.cash);
  const compare = (
    kind: TotalKind,
    written: string | null | undefined,
    partOf: (row: CheckedRow) => Range | undefined,
    of: readonly CheckedRow[] = rows,
    withCash?: Shown,
  ): readonly Compared[] => {
    const shown = shownNumber(written);
    const currency = shown?.currency ?? money;
    const own = of.filter((row) => currency === undefined || (row.currency ?? currency) === currency);
    const sum = sumOf(own.map(partOf));
    return shown && sum
      ? [{ total: kind, shown: { ...shown, currency }, sum, cash: withCash, rows: own }]
      : [];
  };
  if (form.kind === 'trades')
    return (['buy', 'sell'] as const).flatMap((side) =>
      compare(
        side === 'buy' ? 'bought' : 'sold',
        side === 'buy' ? total.bought : total.sold,
        ({ cost }) => cost,
        rows.filter((row) => sideOf(row) === side),
      ),
    );
  return [
    ...compare('value', total.value, valueOf, rows, cash),
    ...(total.value ? [] : compare('value', total.assets, valueOf, rows, cash)),
    ...compare('cost', total.cost, ({ cost }) => cost),
    ...compare(
      'gain',
      total.gain,
      ({ row: { gain, value }, cost }) => gain?.range ?? (value && cost && minus(value.range, cost)),
    ),
  ];
};

/** A fitting total of these kinds confirms the recorded numbers of all its rows at once. */
const provenBy = (compared: readonly Compared[]): ReadonlySet<CheckedRow> =>
  new Set(
    compared
      .filter((each) => each.total !== 'value' && each.total !== 'gain' && isFit(each))
      .flatMap(({ rows }) => rows.filter(({ isInTotal }) => isInTotal)),
  );

const findingOf = (compared: Compared, areSure: boolean): TotalFinding => {
  const { total, shown, sum } = compared;
  if (isFit(compared)) return { kind: 'fits' };
  const { currency } = shown;
  // The gain of what is missing may be of either sign, so it says nothing.
  if (areSure && total !== 'gain' && sum.high.lessThan(shown.range.low))
    return { kind: 'cut', missing: shown.value.minus(sum.value), currency };
  return { kind: 'differs', total, shown: shown.value, computed: sum.value, currency };
};

const countIn = ({ totals }: PictureForm): number | undefined => {
  const counts = (totals ?? []).flatMap(({ count }) => shownNumber(count)?.value.toNumber() ?? []);
  return counts.length === 1 ? counts[0] : undefined;
};

/** Compares the numbers of a picture with each other, row by row and with the totals. Pure; trusts nothing it reads. */
export const checkPicture = (form: PictureForm): CheckedPicture => {
  const check = form.kind === 'trades' ? checkTrade : checkHolding;
  const checked = form.rows.map((row) => check(shownRow(row, form)));
  const sides = new Map(checked.map((row, index) => [row, rowKindOf(form.rows[index]?.side ?? '')]));
  const sideOf: Side = (row) => {
    const kind = sides.get(row);
    return kind === 'buy' || kind === 'sell' ? kind : undefined;
  };
  const compared = (form.totals ?? []).flatMap((total) => comparable(total, form, checked, sideOf));
  const proven = provenBy(compared);
  const isSure = (row: CheckedRow): boolean => row.doubts.length === 0 && (row.isProven || proven.has(row));
  const all = compared.map((each) => findingOf(each, each.rows.every(isSure)));
  const isCut = all.some(({ kind }) => kind === 'cut');
  const count = countIn(form);
  const findings = [
    ...(count === undefined || count === checked.length
      ? []
      : [{ kind: 'count', shown: count, read: checked.length } as const]),
    ...all.filter((finding) => !(isCut && finding.kind === 'differs' && finding.total === 'gain')),
  ];
  const differs = findings.some(({ kind }) => kind === 'differs');
  const isAnyWrong = checked.some(({ doubts }) => doubts.length > 0);
  const rows = checked.map((row): CheckedRow => {
    if (row.doubts.length > 0) return row;
    if (!isSure(row)) return { ...row, doubts: [{ kind: 'unchecked' }] };
    return differs && !isAnyWrong ? { ...row, doubts: [{ kind: 'total' }] } : row;
  });
  const cash = (form.totals ?? []).flatMap((total) => {
    const shown = shownNumber(total.cash);
    return shown && shown.value.greaterThan(0)
      ? [
          {
            amount: shown.value,
            currency: shown.currency ?? currencyIn(total.currency) ?? currencyIn(form.currency),
          },
        ]
      : [];
  });
  return { rows, findings, cash };
};
