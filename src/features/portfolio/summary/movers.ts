import type { OwnerId } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { moneyParts } from '#src/markets/answers/money-text.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import {
  type CountDeps,
  type CountedLedger,
  countLedger,
  uncheckedHoldings,
  uncheckedLines,
} from './counted-ledger.ts';
import { splitNotes } from '../corporate-actions/offers.ts';
import { sumOf } from '../ledger/fixed-point.ts';
import type { LedgerState, Position } from '../ledger/ledger-state.ts';
import { type PortfolioValueDeps, valuePortfolio } from './portfolio-value.ts';
import { dayRateFacts } from '../rates/rate-text.ts';
import { originLines, quotesOf, staleLines } from './summary-notes.ts';

/** The effect of a holding on its portfolio since the previous regular close. */
export interface PortfolioMover {
  readonly instrument: Instrument;
  /** The change of the price, as a fraction. */
  readonly change: Decimal;
  /** The change of the portfolio's value, in its currency, rounded so that all add up to the rounded total. */
  readonly effect: Decimal;
  /** The holding lacks a split, which is noted beside its name. */
  readonly isMarked?: boolean;
}

export interface PortfolioMovers {
  readonly currency: Currency;
  /** All priced holdings, in any order. */
  readonly movers: readonly PortfolioMover[];
  /** Holdings without a price, a previous close or a rate. They are named and left out of the sums. */
  readonly unpriced: readonly Instrument[];
  /** Notes about splits that are not recorded and about old prices. */
  readonly notes?: readonly string[];
  /** Data time and source, formatted. */
  readonly origin: string;
  /** Facts behind the numbers, which also tell whether they are sample data. */
  readonly facts: readonly Fact[];
}

/** Movers among all holdings of a person; undefined if they hold nothing. May throw, and the briefing then says so. */
export type PortfolioMoversOf = (
  ownerId: OwnerId,
  audience: Audience,
  signal: AbortSignal,
) => Promise<PortfolioMovers | undefined>;

type MoversDeps = PortfolioValueDeps & CountDeps;

/** The day's effect of a holding, or of all, in the currency of the portfolio. */
const effectFact = (
  entity: string,
  effect: Decimal,
  unit: Currency,
  { asOf, source, isSample }: Pick<Quote, 'asOf' | 'source' | 'isSample'>,
): Fact => ({
  entity,
  metric: 'dayChange',
  value: effect.toFixed(),
  unit,
  asOf: asOf.toString(),
  source,
  isSample,
});

/** One position per instrument across portfolios. */
const together = (positions: readonly Position[]): readonly Position[] =>
  [...Map.groupBy(positions, ({ instrument }) => instrument.symbol).values()].flatMap((group) =>
    group.slice(0, 1).map((first) => ({
      ...first,
      quantity: sumOf(group.map(({ quantity }) => quantity)),
      cost: { ...first.cost, local: sumOf(group.map(({ cost }) => cost.local)) },
    })),
  );

/** All holdings of a person as one ledger in the currency of their default portfolio. Its gains are meaningless. */
const allHeld = async (deps: MoversDeps, ownerId: OwnerId, audience: Audience, signal: AbortSignal) => {
  const { store, symbols } = deps;
  const portfolios = await store.list(ownerId);
  const currency = (portfolios.find(({ isDefault }) => isDefault) ?? portfolios[0])?.baseCurrency;
  if (currency === undefined) return undefined;
  const states: LedgerState[] = [];
  const ledgers: CountedLedger[] = [];
  const notes: string[] = [];
  const all = await Promise.all(
    portfolios.map(async (portfolio) => ({
      portfolio,
      counted: await countLedger({ ...portfolio, baseCurrency: currency }, deps, signal),
    })),
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

export const moversOf =
  (deps: MoversDeps): PortfolioMoversOf =>
  async (ownerId, audience, signal) => {
    const held = await allHeld(deps, ownerId, audience, signal);
    if (!held) return undefined;
    const unvalued = new Set(held.ledgers.flatMap((ledger) => [...ledger.unvalued]));
    const settled = new Set(held.ledgers.flatMap(({ found }) => [...found.settled]));
    const value = await valuePortfolio(held.state, { ...deps, unvalued, settled }, signal);
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
    const moving = value.holdings.flatMap(({ position: { instrument }, quote, dayChange }) =>
      quote?.previousClose && !quote.previousClose.isZero() && dayChange?.base
        ? [{ instrument, quote, from: quote.previousClose, effect: dayChange.base }]
        : [],
    );
    const exact = moving.map(({ effect }) => effect);
    const total = sumOf(exact);
    const effects = moneyParts(exact, total, held.currency);
    const movers = moving.map(({ instrument, quote, from, effect }, index) => ({
      instrument,
      quote,
      change: quote.price.dividedBy(from).minus(1),
      effect: effects[index] ?? effect,
      isMarked: marked.has(instrument.symbol),
    }));
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
        ...quotesOf(value).flatMap(quoteFacts),
        ...movers.map(({ instrument, effect, quote }) =>
          effectFact(instrument.symbol, effect, held.currency, quote),
        ),
        ...movers.slice(0, 1).map(({ quote }) => effectFact('portfolio', total, held.currency, quote)),
        ...value.rates.flatMap(({ currency, legs, lastClose }) => [
          ...legs.flatMap(({ quote }) => quoteFacts(quote)),
          ...(lastClose ? dayRateFacts(currency, held.currency, lastClose) : []),
        ]),
      ],
    };
  };
