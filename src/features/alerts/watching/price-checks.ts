import { type Instrument, isShare } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Decimal } from '#src/kernel/money.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { timeZoneOf } from '#src/markets/calendar/calendar.ts';
import { differsLikeSplit, mayStillBeSplit, nearest } from '#src/markets/sources/split-doubt.ts';
import { isUsualMove } from './usual-moves.ts';
import { isRecent, ratioOf, type SplitFacts, splitsBetween, splitsOn } from './split-facts.ts';
import type { CurrentPrice } from './trading-window.ts';

export interface Seen {
  /** The exchange's date. */
  readonly day: string;
  readonly price: Decimal;
}

/** One price in one evaluation, before it is checked. */
export interface Sighting {
  readonly instrument: Instrument;
  readonly kind: 'regular' | 'extended';
  readonly current: CurrentPrice;
  readonly day: string;
  /** The quote contradicts itself. */
  readonly isInDoubt: boolean;
  /** The newest price that an alert remembers, and since when prices suggest an unreported split. */
  readonly remembered: Seen | undefined;
  readonly unfitSince: Timestamp | undefined;
}

/**
 * How a second observation confirmed a large move: the instrument has no splits; no split is known; a known split does
 * not explain the move; splits could not be checked.
 */
export type Confirmed = 'plain' | 'checked' | 'beyondSplit' | 'unchecked';

export type CheckVerdict =
  | {
      readonly kind: 'usual';
      /** `dayBase` is absent where the previous close does not fit the price. */
      readonly current: CurrentPrice;
      /** The price had moved so far that it needed a second observation. */
      readonly confirmed?: Confirmed;
      /** When all alerts on the symbol were last evaluated on this day. */
      readonly lastAt: Timestamp | undefined;
    }
  /** The price is not used in this evaluation. */
  | {
      readonly kind: 'held';
      readonly since: Timestamp;
      /** Prices suggest a split that is not reported: `before` was seen last. */
      readonly unreported?: { readonly before: Decimal; readonly price: Decimal };
    };

interface Held {
  readonly price: Decimal;
  readonly since: Timestamp;
}

interface Known {
  readonly last?: Seen & { readonly at: Timestamp };
  /** The last price that all alerts on the symbol were evaluated with. */
  readonly evaluated?: Known['last'];
  /** The last price of the day before that. */
  readonly close?: Seen;
  readonly held?: Partial<Readonly<Record<Sighting['kind'], Held>>>;
}

/** A crash is reported within this time even where splits cannot be checked. */
const UNCHECKED_MS = 15 * 60_000;

const isLater = (a: Seen, b: Seen): boolean => a.day > b.day;

/** The previous close. A split of the day may be in it or not. */
const dayBaseOf = (
  { instrument: { assetClass }, current: { price, dayBase }, day }: Sighting,
  facts: SplitFacts | undefined,
  close: Seen | undefined,
): Decimal | undefined => {
  if (!dayBase || !isShare(assetClass)) return dayBase;
  const ratio = ratioOf(facts?.status === 'ok' ? splitsOn(facts.splits, day) : []);
  const best = nearest(price, [dayBase, dayBase.dividedBy(ratio)]);
  if (isUsualMove(assetClass, best, price)) return best;
  if (close && close.day < day)
    return isUsualMove(assetClass, best, close.price.dividedBy(ratio)) ? best : undefined;
  return facts?.status === 'ok' ? best : undefined;
};

const confirmedBy = (
  { instrument: { assetClass }, day }: Sighting,
  facts: SplitFacts | undefined,
): Confirmed => {
  if (!isShare(assetClass)) return 'plain';
  if (facts?.status !== 'ok') return 'unchecked';
  const isKnown = facts.splits.some(({ date }) => date.toString() <= day && isRecent(date.toString(), day));
  return isKnown ? 'beyondSplit' : 'checked';
};

/** Compares prices with earlier ones. Remembers the last price of each symbol; a lost one costs one evaluation. */
export const createPriceChecks = (logger: Pick<FinClawLogger, 'info'>) => {
  const known = new Map<string, Known>();

  const knownOf = ({ symbol }: Instrument): Known => known.get(symbol) ?? {};

  const referenceOf = ({ instrument, remembered }: Sighting): Seen | undefined => {
    const { last } = knownOf(instrument);
    return last && remembered && isLater(remembered, last) ? remembered : (last ?? remembered);
  };

  /** The last known price, adjusted by later splits where that fits the current price. */
  const expectedOf = (sighting: Sighting, facts: SplitFacts | undefined): Decimal | undefined => {
    const { current, day } = sighting;
    const reference = referenceOf(sighting);
    const splits = facts?.status === 'ok' ? facts.splits : [];
    const { dayBase } = current;
    if (!reference)
      return dayBase && nearest(current.price, [dayBase, dayBase.dividedBy(ratioOf(splitsOn(splits, day)))]);
    const later = ratioOf(splitsBetween(splits, reference.day, day));
    const sameDay = ratioOf(splitsOn(splits, reference.day));
    const { price } = reference;
    return nearest(current.price, [
      price,
      price.dividedBy(later),
      price.dividedBy(sameDay),
      price.dividedBy(later.times(sameDay)),
    ]);
  };

  const isUsual = (sighting: Sighting, facts: SplitFacts | undefined): boolean => {
    const expected = expectedOf(sighting, facts);
    return !expected || isUsualMove(sighting.instrument.assetClass, sighting.current.price, expected);
  };

  const accept = (sighting: Sighting, facts: SplitFacts | undefined, confirmed?: Confirmed): CheckVerdict => {
    const { instrument, kind, current, day } = sighting;
    const { last, close, held, evaluated } = knownOf(instrument);
    const closed = last && last.day < day ? last : close;
    const { [kind]: _done, ...stillHeld } = held ?? {};
    known.set(instrument.symbol, {
      last: { day, price: current.price, at: current.at },
      ...(closed && { close: closed }),
      ...(evaluated && { evaluated }),
      held: stillHeld,
    });
    const dayBase = dayBaseOf(sighting, facts, closed);
    const lastAt = evaluated?.day === day ? evaluated.at : undefined;
    return { kind: 'usual', current: { ...current, dayBase }, lastAt, ...(confirmed && { confirmed }) };
  };

  /** As after a split, the price is far from the one of an earlier day, and was not traded on the way. */
  const unreportedOf = (
    sighting: Sighting,
  ): { readonly before: Decimal; readonly price: Decimal } | undefined => {
    const { instrument, current, day, isInDoubt } = sighting;
    const { assetClass } = instrument;
    const reference = referenceOf(sighting);
    const { dayBase, price } = current;
    if (!reference || !isShare(assetClass) || reference.day >= day || !isRecent(reference.day, day))
      return undefined;
    const { price: before } = reference;
    const isShown = isInDoubt
      ? differsLikeSplit(price, before)
      : dayBase && isUsualMove(assetClass, dayBase, price) && !isUsualMove(assetClass, dayBase, before);
    return isShown ? { before, price } : undefined;
  };

  const hold = (sighting: Sighting, since: Timestamp): void => {
    const { instrument, kind, current } = sighting;
    const entry = knownOf(instrument);
    const held = { ...entry.held, [kind]: { price: current.price, since } };
    known.set(instrument.symbol, { ...entry, held });
  };

  return {
    /** Whether a price is far from earlier ones, disregarding splits. */
    isFar: (sighting: Sighting): boolean => !isUsual(sighting, undefined),

    check: (sighting: Sighting, facts: SplitFacts | undefined, now: Timestamp): CheckVerdict => {
      const { instrument, kind, current, day, unfitSince } = sighting;
      const { symbol, assetClass } = instrument;
      const held = knownOf(instrument).held?.[kind];
      if (isUsual(sighting, facts)) {
        if (held)
          logger.info('A price that was not confirmed was left out', { symbol, price: held.price.toFixed() });
        return accept(sighting, facts);
      }
      const isSeenTwice = held !== undefined && isUsualMove(assetClass, held.price, current.price);
      const since = (isSeenTwice ? held.since : undefined) ?? now;
      if (!isSeenTwice) {
        logger.info('A price is far from earlier ones and needs a second observation', {
          symbol,
          price: current.price.toFixed(),
          before: referenceOf(sighting)?.price.toFixed() ?? current.dayBase?.toFixed(),
        });
        hold(sighting, now);
      }
      const unreported = unreportedOf(sighting);
      if (unreported) {
        const first = unfitSince && Temporal.Instant.compare(unfitSince, since) < 0 ? unfitSince : since;
        const jumpedOn = Temporal.PlainDate.from(dayOf(first, timeZoneOf(instrument)));
        const mayBe = mayStillBeSplit(instrument, jumpedOn, Temporal.PlainDate.from(day));
        // Without a report by then, the market moved.
        if (mayBe || facts?.status !== 'ok') return { kind: 'held', since: first, unreported };
      }
      if (!isSeenTwice) return { kind: 'held', since };
      const confirmed = confirmedBy(sighting, facts);
      const heldMs = now.epochMilliseconds - since.epochMilliseconds;
      if (confirmed === 'unchecked' && heldMs < UNCHECKED_MS) return { kind: 'held', since };
      return accept(sighting, facts, confirmed);
    },

    /** All alerts on these symbols were evaluated with the current price. */
    markEvaluated: (symbols: Iterable<string>) => {
      for (const symbol of symbols) {
        const entry = known.get(symbol);
        if (entry?.last) known.set(symbol, { ...entry, evaluated: entry.last });
      }
    },

    /** Forgets all other symbols. */
    keepOnly: (symbols: { readonly has: (symbol: string) => boolean }) => {
      for (const symbol of known.keys()) if (!symbols.has(symbol)) known.delete(symbol);
    },
  };
};
