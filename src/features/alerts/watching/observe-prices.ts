import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import { type Instrument, isShare, type Quote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Uses } from '#src/platform/services.ts';
import type { EvaluationOutcome, Revision } from '../store-types.ts';
import { dayOf } from '#src/markets/series/bar-dates.ts';
import { timeZoneOf } from '#src/markets/calendar/calendar.ts';
import { differsLikeSplit, mayStillBeSplit } from '#src/markets/sources/split-doubt.ts';
import { type AlertData, wantedOf } from './alert-data.ts';
import { memoryOf, writeMemory } from './alert-memory.ts';
import { type DailySeries, fittingSeries } from './daily-series.ts';
import { dayRangeOf } from './day-range.ts';
import { type Observation, observationOf } from './evaluate-condition.ts';
import { isUsualMove } from './usual-moves.ts';
import { createPriceChecks, type Seen, type Sighting, type CheckVerdict } from './price-checks.ts';
import { dependsOnSplits, pendingSplits, type SplitFacts } from './split-facts.ts';
import { chatOf, splitRevision, unreportedRevision } from './notices.ts';
import { type CurrentPrice, extendedPrice, regularPrice, type TradingWindow } from './trading-window.ts';

/** All alerts on one instrument. */
export interface Group {
  readonly instrument: Instrument;
  readonly alerts: AlertRecord[];
}

/** Alerts that can be evaluated now, with the observation for them. */
export interface Evaluable {
  readonly instrument: Instrument;
  readonly alerts: readonly AlertRecord[];
  readonly quote: Quote;
  readonly seenWith: (daily: DailySeries | undefined) => Observation;
  /** The splits of this day are not known yet, or another source reports another price. */
  readonly isUnsettled: boolean;
  /** Some alerts on the instrument cannot be evaluated now. */
  readonly isPart: boolean;
}

interface Observations {
  readonly evaluable: readonly Evaluable[];
  /** Changes of alerts after a split. */
  readonly revisions: readonly Revision[];
  /** State to save for alerts whose price is held back. */
  readonly held: readonly EvaluationOutcome[];
}

interface PriceObserverDeps extends Uses<'logger.info'> {
  readonly data: Pick<AlertData, 'splits'>;
}

interface CurrentPrices {
  readonly groups: ReadonlyMap<string, Group>;
  readonly quotes: ReadonlyMap<string, Quote>;
  readonly windowOf: (instrument: Instrument) => TradingWindow;
  /** Symbols whose splits are requested before all others. */
  readonly eager: ReadonlySet<string>;
  readonly now: Timestamp;
}

/** What all alerts on an instrument remember of its price. */
interface Remembered {
  readonly newest: Seen | undefined;
  /** The first day whose splits may be missing in the numbers of an alert. */
  readonly since: string;
  readonly unfitSince: Timestamp | undefined;
}

/** Prices that suggest an unreported split are held back this long before the owner is told. */
const QUIET_MS = 15 * 60_000;

const createdOn = ({ createdAt, instrument }: AlertRecord): string =>
  dayOf(createdAt, timeZoneOf(instrument));

const remember = (alerts: readonly AlertRecord[]): Remembered => {
  let newest: Seen | undefined;
  let since = '9999';
  let unfitSince: Timestamp | undefined;
  for (const alert of alerts) {
    const { seen, unfit } = memoryOf(alert);
    const day = seen?.[0] ?? createdOn(alert);
    if (day < since) since = day;
    if (seen && (!newest || day > newest.day)) newest = { day, price: new Decimal(seen[1]) };
    const at = unfit && Temporal.Instant.from(unfit[0]);
    if (at && (!unfitSince || Temporal.Instant.compare(at, unfitSince) < 0)) unfitSince = at;
  }
  return { newest, since, unfitSince };
};

/** The prices of one symbol in one evaluation. */
interface Shown extends Remembered {
  readonly group: Group;
  readonly quote: Quote;
  readonly window: TradingWindow;
  readonly sightings: readonly Sighting[];
  /** The exchange's day of the price. */
  readonly day: string;
}

const shownOf = (group: Group, quote: Quote, window: TradingWindow): Shown | undefined => {
  const { instrument, alerts } = group;
  const remembered = remember(alerts);
  const zone = timeZoneOf(instrument);
  const sightingOf = (
    kind: Sighting['kind'],
    current: CurrentPrice | undefined,
    isInDoubt: boolean,
  ): readonly Sighting[] =>
    current
      ? [
          {
            instrument,
            kind,
            current,
            day: dayOf(current.at, zone),
            isInDoubt,
            remembered: remembered.newest,
            unfitSince: remembered.unfitSince,
          },
        ]
      : [];
  const sightings = [
    ...sightingOf('regular', regularPrice(quote, window), quote.doubt !== undefined),
    ...sightingOf('extended', extendedPrice(quote, window), quote.extended?.isInDoubt === true),
  ];
  const [first] = sightings;
  return first && { ...remembered, group, quote, window, sightings, day: first.day };
};

const isUsable = (
  verdict: CheckVerdict | undefined,
): verdict is Extract<CheckVerdict, { readonly kind: 'usual' }> => verdict?.kind === 'usual';

/** Sample prices have no history to be checked against. */
const sampleSeen = ({ quote, window }: Shown, now: Timestamp) => {
  const regular = regularPrice(quote, window);
  const times = { observedAt: now, opensAt: undefined, lastAt: undefined };
  const day = regular && dayRangeOf(quote, regular, times);
  return (daily: DailySeries | undefined): Observation =>
    observationOf(quote, regular, undefined, daily, { day, sight: undefined });
};

type Verdicts = Partial<Readonly<Record<Sighting['kind'], CheckVerdict>>>;

const liveSeen = (shown: Shown, verdicts: Verdicts, facts: SplitFacts | undefined, now: Timestamp) => {
  const { quote, window, day, group } = shown;
  const { assetClass } = group.instrument;
  const regular = isUsable(verdicts.regular) ? verdicts.regular : undefined;
  const extended = isUsable(verdicts.extended) ? verdicts.extended.current : undefined;
  // Where the trading hours are unknown, the window has no end.
  const opensMs = window.regular?.toMs === Infinity ? undefined : window.regular?.fromMs;
  const opensAt = opensMs === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(opensMs);
  const range =
    regular && dayRangeOf(quote, regular.current, { observedAt: now, opensAt, lastAt: regular.lastAt });
  const isSettled = !isShare(assetClass) || facts?.status === 'ok';
  const confirmed =
    regular?.confirmed ?? (isUsable(verdicts.extended) ? verdicts.extended.confirmed : undefined);
  const more = {
    day: range,
    sight: regular && isSettled ? ([day, regular.current.price.toFixed()] as const) : undefined,
    ...(confirmed && { confirmed }),
  };
  // The last bar should be near this close. Without one, the bars are trusted if no split can be missing.
  const close =
    regular?.current.dayBase ??
    (isSettled && !quote.previousClose && !quote.doubt ? undefined : regular?.current.price);
  return (daily: DailySeries | undefined): Observation => {
    const fitting = close && regular ? fittingSeries(daily, assetClass, regular.current.at, close) : daily;
    return observationOf(quote, regular?.current, extended, fitting, more);
  };
};

type NonEmpty<T> = readonly [T, ...T[]];
const isNonEmpty = <T>(all: readonly T[]): all is NonEmpty<T> => all.length > 0;

const byChat = <T>(all: readonly T[], alertOf: (each: T) => AlertRecord): readonly NonEmpty<T>[] =>
  [...Map.groupBy(all, (each) => chatOf(alertOf(each))).values()].filter((some) => isNonEmpty<T>(some));

/** Whether other alerts remember newer, very different prices, and a split between them cannot be ruled out. */
const isBehind = (
  alert: AlertRecord,
  { newest, group, day }: Shown,
  facts: SplitFacts | undefined,
): boolean => {
  const { instrument } = group;
  const { seen, unfit } = memoryOf(alert);
  if (!seen || !newest || !isShare(instrument.assetClass) || seen[0] >= newest.day) return false;
  const before = new Decimal(seen[1]);
  if (facts?.status !== 'ok') return !isUsualMove(instrument.assetClass, before, newest.price);
  if (!unfit || !differsLikeSplit(newest.price, before)) return false;
  const jumpedOn = dayOf(Temporal.Instant.from(unfit[0]), timeZoneOf(instrument));
  return mayStillBeSplit(instrument, Temporal.PlainDate.from(jumpedOn), Temporal.PlainDate.from(day));
};

/** Remembers a suspected unreported split, and tells the owner after a while. */
const holdBack = (
  { group: { alerts } }: Shown,
  { since, unreported }: Extract<CheckVerdict, { readonly kind: 'held' }>,
  now: Timestamp,
): Pick<Observations, 'revisions' | 'held'> => {
  if (!unreported) return { revisions: [], held: [] };
  if (now.epochMilliseconds - since.epochMilliseconds >= QUIET_MS) {
    const untold = alerts.filter((alert) => memoryOf(alert).unfit?.[1] !== true);
    const revisions = byChat(untold, (alert) => alert).map((some) =>
      unreportedRevision(some, unreported, since, now),
    );
    return { revisions, held: [] };
  }
  const held = alerts.flatMap((alert): readonly EvaluationOutcome[] => {
    const memory = memoryOf(alert);
    if (memory.unfit) return [];
    const next = writeMemory({ ...memory, unfit: [since.toString(), false] });
    return [{ alert, side: alert.side, memory: next }];
  });
  return { revisions: [], held };
};

/** The alerts whose numbers a split changes. */
const splitPart = (shown: Shown, verdicts: Verdicts, facts: SplitFacts | undefined, now: Timestamp) => {
  const made = [verdicts.regular, verdicts.extended].find(isUsable);
  const { alerts } = shown.group;
  if (!made || facts?.status !== 'ok' || facts.splits.length === 0)
    return { revisions: [], adjusted: new Set<AlertRecord>() };
  const at = { price: made.current.price, day: dayOf(made.current.at, timeZoneOf(shown.group.instrument)) };
  const pending = alerts.flatMap((alert) => {
    if (!dependsOnSplits(alert)) return [];
    const splits = pendingSplits(alert, facts.splits, { ...at, createdOn: createdOn(alert) });
    return isNonEmpty(splits) ? [{ alert, splits }] : [];
  });
  return {
    revisions: byChat(pending, ({ alert }) => alert).map((some) => splitRevision(some, at, now)),
    adjusted: new Set(pending.map(({ alert }) => alert)),
  };
};

/** Checks prices before alerts are evaluated with them. Throws on abort, and where `data` does. */
export const createPriceObserver = ({ data, logger }: PriceObserverDeps) => {
  const checks = createPriceChecks(logger);

  const observe = (shown: Shown, facts: SplitFacts | undefined, now: Timestamp): Observations => {
    const { group, quote, sightings } = shown;
    const { assetClass } = group.instrument;
    if (quote.isSample) {
      const seenWith = sampleSeen(shown, now);
      const { instrument, alerts } = group;
      const one = { instrument, alerts, quote, seenWith, isUnsettled: false, isPart: false };
      return { evaluable: [one], revisions: [], held: [] };
    }
    const verdicts: Verdicts = Object.fromEntries(
      sightings.map((sighting) => [sighting.kind, checks.check(sighting, facts, now)]),
    );
    const main = verdicts.regular ?? verdicts.extended;
    const back = main?.kind === 'held' ? holdBack(shown, main, now) : { revisions: [], held: [] };
    const { revisions, adjusted } = splitPart(shown, verdicts, facts, now);
    // An alert that a split has just changed is evaluated next time, with its stored state.
    const alerts = group.alerts.filter((alert) => !adjusted.has(alert) && !isBehind(alert, shown, facts));
    const one: Evaluable = {
      instrument: group.instrument,
      alerts,
      quote,
      seenWith: liveSeen(shown, verdicts, facts, now),
      isUnsettled: (isShare(assetClass) && facts === undefined) || quote.otherPrice !== undefined,
      isPart: alerts.length < group.alerts.length,
    };
    return { evaluable: [one], revisions: [...back.revisions, ...revisions], held: back.held };
  };

  return {
    keepOnly: checks.keepOnly,
    markEvaluated: checks.markEvaluated,

    observe: async (
      { groups, quotes, windowOf, eager, now }: CurrentPrices,
      signal: AbortSignal,
    ): Promise<Observations> => {
      const shown = [...groups].flatMap(([symbol, group]) => {
        const quote = quotes.get(symbol);
        return (quote && shownOf(group, quote, windowOf(group.instrument))) ?? [];
      });
      const wanted = shown
        .filter(({ quote, group }) => !quote.isSample && isShare(group.instrument.assetClass))
        .map(({ group, since, day, sightings }) => ({
          ...wantedOf(group),
          since,
          session: `${day} ${sightings[0]?.kind}`,
          isUrgent: eager.has(group.instrument.symbol) || sightings.some(checks.isFar),
        }));
      const facts = await data.splits(wanted, signal);
      const observed = shown.map((one) => observe(one, facts.get(one.group.instrument.symbol), now));
      return {
        evaluable: observed.flatMap(({ evaluable }) => evaluable),
        revisions: observed.flatMap(({ revisions }) => revisions),
        held: observed.flatMap(({ held }) => held),
      };
    },
  };
};
