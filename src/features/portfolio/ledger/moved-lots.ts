import type { MovedLot } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';

/** `10@1000/1450000~2024-03-01~2025-01-02`: quantity, cost, cost in the portfolio's currency, first and last day. */
const LOT =
  /^(?<quantity>\d{1,40}(?:\.\d{1,40})?)@(?<cost>\d{1,60}(?:\.\d{1,80})?)\/(?<base>\d{1,60}(?:\.\d{1,120})?|-)~(?<first>\d{4}-\d\d-\d\d)~(?<last>\d{4}-\d\d-\d\d)$/u;
const MAX_LOTS = 10_000;

export const lotsText = (lots: readonly MovedLot[]): string =>
  lots
    .map(({ quantity, cost, costBase, first, last }) => {
      const money = `${cost.toFixed()}/${costBase?.toFixed() ?? '-'}`;
      return `${quantity.toFixed()}@${money}~${first.toString()}~${last.toString()}`;
    })
    .join(';');

const dayIn = (typed: string): Temporal.PlainDate | undefined => {
  try {
    return Temporal.PlainDate.from(typed);
  } catch {
    return undefined;
  }
};

/** Reads what `lotsText` wrote; undefined for any other text. */
export const readLots = (typed: string): readonly MovedLot[] | undefined => {
  const lots = typed.split(';', MAX_LOTS + 1).map((text): MovedLot | undefined => {
    const { quantity = '', cost = '', base = '', first = '', last = '' } = LOT.exec(text)?.groups ?? {};
    const [since, until] = [dayIn(first), dayIn(last)];
    if (!since || !until || Temporal.PlainDate.compare(since, until) > 0) return undefined;
    const costBase = base === '-' ? undefined : new Decimal(base);
    return { quantity: new Decimal(quantity), cost: new Decimal(cost), costBase, first: since, last: until };
  });
  const known = lots.filter((lot) => lot !== undefined);
  return known.length === lots.length && known.length <= MAX_LOTS ? known : undefined;
};

/** Without what they cost in another portfolio's currency. */
export const withoutBase = (lots: readonly MovedLot[]): readonly MovedLot[] =>
  lots.map((lot) => ({ ...lot, costBase: undefined }));
