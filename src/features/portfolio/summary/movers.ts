import type { OwnerId } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import type { Instrument } from '#src/kernel/finance.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { PortfolioStore } from '../store.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import {
  type CountedLedger,
  deriveCountedLedger,
  splitNotes,
  uncheckedHoldings,
  uncheckedLines,
} from '../corporate-actions/adjusted-ledger.ts';
import type { GatherDeps } from '../corporate-actions/gather-actions.ts';
import { type LedgerState, type Position, rulesOf } from '../ledger/ledger-state.ts';
import { type PortfolioValueDeps, valuePortfolio } from './portfolio-value.ts';
import { rateFact } from '../rates/rate-text.ts';
import { originLines, staleLines } from './summary-facts.ts';

/** What a holding did to its portfolio since the previous regular close. */
export interface PortfolioMover {
  readonly instrument: Instrument;
  /** Of its price; a fraction. */
  readonly change: Decimal;
  /** On the value of what is held, in the portfolio's currency. */
  readonly effect: Decimal;
  /** A split of it is not recorded: said beside its name. */
  readonly isMarked?: boolean;
}

export interface PortfolioMovers {
  readonly currency: Currency;
  /** Everything that is held and priced, in any order. */
  readonly movers: readonly PortfolioMover[];
  /** Held, but without a price, a previous close or a rate: left out of the sums, and named. */
  readonly unpriced: readonly Instrument[];
  /** What is said of splits that are not recorded. */
  readonly notes?: readonly string[];
  /** From where and as of when, in the reader's words. */
  readonly origin: string;
  /** What the numbers rest on: sample data is marked from them. */
  readonly facts: readonly Fact[];
}

/** Of all that somebody holds; undefined where they hold nothing. May throw: the briefing then says so. */
export type PortfolioMoversOf = (
  ownerId: OwnerId,
  audience: Audience,
  signal: AbortSignal,
) => Promise<PortfolioMovers | undefined>;

export interface MoversDeps extends Omit<PortfolioValueDeps, 'market'>, GatherDeps {
  readonly market: PortfolioValueDeps['market'] & GatherDeps['market'];
  readonly store: Pick<PortfolioStore, 'list' | 'transactions' | 'dismissed'>;
}

/** One position of each instrument, whichever portfolios it lies in. */
const together = (positions: readonly Position[]): readonly Position[] => {
  const bySymbol = new Map<string, Position>();
  for (const position of positions) {
    const { symbol } = position.instrument;
    const before = bySymbol.get(symbol);
    bySymbol.set(
      symbol,
      before
        ? {
            ...before,
            quantity: before.quantity.plus(position.quantity),
            cost: { ...before.cost, local: before.cost.local.plus(position.cost.local) },
          }
        : position,
    );
  }
  return [...bySymbol.values()];
};

interface AllHeld {
  readonly currency: Currency;
  readonly state: LedgerState;
  readonly ledgers: readonly CountedLedger[];
  /** What is said of splits that are missing. */
  readonly notes: readonly string[];
}

/** Everything that somebody holds, as one ledger in the currency of their default portfolio; its gains mean nothing. */
const allHeld = async (
  deps: MoversDeps,
  ownerId: OwnerId,
  audience: Audience,
  signal: AbortSignal,
): Promise<AllHeld | undefined> => {
  const { store, symbols } = deps;
  const portfolios = await store.list(ownerId);
  const currency = (portfolios.find(({ isDefault }) => isDefault) ?? portfolios[0])?.baseCurrency;
  if (currency === undefined) return undefined;
  const states: LedgerState[] = [];
  const ledgers: CountedLedger[] = [];
  const notes: string[] = [];
  const all = await Promise.all(
    portfolios.map(async (portfolio) => {
      const recorded = await store.transactions(ownerId, portfolio.id, signal);
      const counting = recorded.filter(({ isReversed }) => !isReversed);
      const rules = { ...rulesOf(portfolio), baseCurrency: currency };
      return { portfolio, counted: await deriveCountedLedger(portfolio, counting, rules, deps, signal) };
    }),
  );
  for (const { portfolio, counted } of all) {
    if (counted.derived.status !== 'ok') continue;
    states.push(counted.derived.state);
    ledgers.push(counted);
    notes.push(...splitNotes(counted, { portfolio, audience, symbols }).lines);
  }
  const [first] = states;
  const positions = together(states.flatMap((state) => state.positions));
  return first && { currency, state: { ...first, positions, cash: [] }, ledgers, notes };
};

/** What moved a person's holdings since the previous close; undefined where they hold nothing. */
export const moversOf =
  (deps: MoversDeps): PortfolioMoversOf =>
  async (ownerId, audience, signal) => {
    const held = await allHeld(deps, ownerId, audience, signal);
    if (!held) return undefined;
    const unvalued = new Set(held.ledgers.flatMap((ledger) => [...ledger.unvalued]));
    const value = await valuePortfolio(held.state, { ...deps, unvalued }, signal);
    if (value.holdings.length === 0) return undefined;
    const found = {
      unknown: held.ledgers.flatMap((ledger) => ledger.found.unknown),
      readUntil: new Map(held.ledgers.flatMap((ledger) => [...ledger.found.readUntil])),
    };
    const unchecked = uncheckedHoldings(value.holdings, found);
    const marked = new Set([
      ...held.ledgers.flatMap((ledger) => [...ledger.marked]),
      ...unchecked.map(({ position }) => position.instrument.symbol),
    ]);
    const movers = value.holdings.flatMap(({ position, quote, dayChange }) =>
      quote?.previousClose && !quote.previousClose.isZero() && dayChange?.base
        ? [
            {
              instrument: position.instrument,
              change: quote.price.dividedBy(quote.previousClose).minus(1),
              effect: dayChange.base,
              isMarked: marked.has(position.instrument.symbol),
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
        .filter(({ symbol }) => !moved.has(symbol) && !unvalued.has(symbol)),
      notes: [
        ...new Set([
          ...held.notes,
          ...uncheckedLines(unchecked, found, audience.locale),
          ...staleLines(value.holdings, audience.locale),
        ]),
      ],
      origin: originLines(value, audience).join(' · '),
      facts: [
        ...value.holdings.flatMap(({ quote }) => (quote ? quoteFacts(quote) : [])),
        ...value.rates.flatMap(({ currency, legs, lastClose }) => [
          ...legs.flatMap(({ quote }) => quoteFacts(quote)),
          ...(lastClose ? [rateFact(currency, held.currency, lastClose)] : []),
        ]),
      ],
    };
  };
