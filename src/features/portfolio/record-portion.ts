import type { NewTransaction, Trade } from '#src/kernel/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/steps.ts';
import type { Portion } from '#src/language/portions.ts';
import { deriveLedger } from './ledger/derive-ledger.ts';
import { Exact, ZERO } from './ledger/exact.ts';
import { koreanTransactionTax } from './ledger/korean-tax.ts';
import type { LedgerRules } from './ledger/ledger-state.ts';

const QUANTITY_DECIMALS = 18;
/** Of a third, which has no last digit: as many as coins have. */
const ENDLESS_DECIMALS = 8;

/** The sale of that part of what is held on its day; undefined where nothing is. */
export const saleOfPortion = function* (
  sale: Trade,
  { over, under }: Portion,
  isTaxGiven: boolean,
  existing: readonly NewTransaction[],
  rules: LedgerRules,
): Steps<Trade | undefined> {
  const until = existing.filter(({ date }) => Temporal.PlainDate.compare(date, sale.date) <= 0);
  const derived = yield* deriveLedger(until, rules);
  const { symbol } = sale.instrument;
  const held =
    derived.status === 'ok'
      ? derived.state.positions.find(({ instrument }) => instrument.symbol === symbol)?.quantity
      : undefined;
  const part = new Exact(held ?? ZERO).times(over).dividedBy(under);
  const isWritable = part.decimalPlaces() <= QUANTITY_DECIMALS;
  const sold = isWritable ? part : part.toDecimalPlaces(ENDLESS_DECIMALS, Decimal.ROUND_DOWN);
  if (!sold.greaterThan(0)) return undefined;
  const quantity = new Decimal(sold.toFixed());
  const tax = isTaxGiven
    ? sale.tax
    : koreanTransactionTax(sale.instrument, new Exact(quantity).times(sale.price), sale.date);
  return { ...sale, quantity, tax };
};
