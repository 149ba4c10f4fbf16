import type { OwnerId } from '#src/core/ids.ts';
import type { Currency } from '#src/core/money.ts';
import { byTime } from '#src/infra/steps.ts';
import type { PortfolioStore } from '#src/storage/portfolios.ts';
import { quoteFacts } from '../answers/quote-facts.ts';
import type { PortfolioMoversOf } from '../briefings/portfolio-movers.ts';
import { deriveLedger } from './ledger/derive-ledger.ts';
import type { LedgerState, Position } from './ledger/ledger-state.ts';
import { type PortfolioValueDeps, valuePortfolio } from './portfolio-value.ts';
import { originLines } from './summary-notes.ts';

export interface MoversDeps extends PortfolioValueDeps {
  readonly store: Pick<PortfolioStore, 'list' | 'transactions'>;
}

/** One position of each instrument, whichever portfolios it lies in. */
const together = (positions: readonly Position[]): readonly Position[] => {
  const bySymbol = new Map<string, Position>();
  for (const position of positions) {
    const { symbol } = position.instrument;
    const before = bySymbol.get(symbol);
    bySymbol.set(
      symbol,
      before ? { ...before, quantity: before.quantity.plus(position.quantity) } : position,
    );
  }
  return [...bySymbol.values()];
};

/** Everything that somebody holds, as one ledger in the currency of their default portfolio; its gains mean nothing. */
const allHeld = async (
  { store }: MoversDeps,
  ownerId: OwnerId,
  signal: AbortSignal,
): Promise<{ readonly currency: Currency; readonly state: LedgerState } | undefined> => {
  const portfolios = await store.list(ownerId);
  const currency = (portfolios.find(({ isDefault }) => isDefault) ?? portfolios[0])?.baseCurrency;
  if (currency === undefined) return undefined;
  const states: LedgerState[] = [];
  for (const { id, costMethod: method, allowsShort } of portfolios) {
    const recorded = await store.transactions(ownerId, id, signal);
    const counting = recorded.filter(({ isReversed }) => !isReversed);
    const rules = { baseCurrency: currency, method, allowsShort };
    const derived = await byTime(deriveLedger(counting, rules), signal);
    if (derived.status === 'ok') states.push(derived.state);
  }
  const [first] = states;
  const positions = together(states.flatMap((state) => state.positions));
  return first && { currency, state: { ...first, positions, cash: [] } };
};

/** What moved a person's holdings since the previous close; undefined where they hold nothing. */
export const moversOf =
  (deps: MoversDeps): PortfolioMoversOf =>
  async (ownerId, reader, signal) => {
    const held = await allHeld(deps, ownerId, signal);
    if (!held) return undefined;
    const value = await valuePortfolio(held.state, deps, signal);
    if (value.holdings.length === 0) return undefined;
    const movers = value.holdings.flatMap(({ position, quote, dayChange }) =>
      quote?.previousClose && !quote.previousClose.isZero() && dayChange?.base
        ? [
            {
              instrument: position.instrument,
              change: quote.price.dividedBy(quote.previousClose).minus(1),
              effect: dayChange.base,
            },
          ]
        : [],
    );
    const moved = new Set(movers.map(({ instrument }) => instrument.symbol));
    return {
      currency: held.currency,
      movers,
      unpriced: value.holdings
        .map(({ position }) => position.instrument)
        .filter(({ symbol }) => !moved.has(symbol)),
      origin: originLines(value, reader).join(' · '),
      facts: [
        ...value.holdings.flatMap(({ quote }) => (quote ? quoteFacts(quote) : [])),
        ...value.rates.flatMap(({ legs }) => legs.flatMap(({ quote }) => quoteFacts(quote))),
      ],
    };
  };
