import { createHash } from 'node:crypto';
import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { Instrument, NewsItem, Quote } from '#src/kernel/market/finance.ts';
import type { AlertId, Timestamp } from '#src/kernel/ids.ts';
import { readMemory, writeMemory } from './alert-memory.ts';
import {
  type AlertTerms,
  countsExtendedHours,
  evaluateCondition,
  isCoolingDown,
  needsHistory,
  type Outcome,
} from './evaluate-condition.ts';
import type { CorporateActions } from '#src/kernel/market/corporate-action.ts';
import type { Membership } from '#src/kernel/channel/channel.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import type { AlertStore, EvaluationOutcome, Firing, Revision } from '../store-types.ts';
import type { NoticeDeps } from '../end-notice.ts';
import { alertEndNotice } from './notices.ts';
import { createAlertData, wantedOf } from './alert-data.ts';
import type { DailySeries } from './daily-series.ts';
import { firingMessage } from './firing-message.ts';
import { createPriceObserver, type Evaluable, type Group } from './observe-prices.ts';
import { createTradingWindows } from './trading-window.ts';
import type { FeatureUses } from '#src/features/services.ts';

export type NewsOutcome = Outcome & { readonly headlines?: readonly NewsItem[] };

/** A headline that is first listed a week after its publication is no news. */
const NEWS_HOURS = 7 * 24;
/** More than a source lists at once, so that no listed headline is sent twice. */
const MAX_TOLD = 60;

const keyOf = (text: string): string => text.normalize('NFKC').toLowerCase();

const markOf = ({ title }: NewsItem): string =>
  createHash('sha256').update(keyOf(title)).digest('base64url').slice(0, 8);

const isAfter = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) > 0;

/** Whether the title has all words of the keyword, in any order. An empty keyword matches every headline. */
const holds = (title: string, keyword: string): boolean => {
  const words = keyOf(keyword).split(/\s+/u);
  const text = keyOf(title);
  return words.every((word) => text.includes(word));
};

/**
 * Fires with all matching headlines that were not sent yet. Headlines from before the alert never count. During the
 * cooldown they wait.
 */
export const evaluateNews = (
  terms: AlertTerms,
  state: Pick<AlertRecord, 'side' | 'memory' | 'lastFiredAt' | 'createdAt'>,
  items: readonly NewsItem[],
  now: Timestamp,
): NewsOutcome => {
  const { condition } = terms;
  if (condition.kind !== 'news') return { kind: 'same' };
  const { told = [] } = readMemory(state.memory);
  const oldest = now.subtract({ hours: NEWS_HOURS });
  const since = isAfter(oldest, state.createdAt) ? oldest : state.createdAt;
  const headlines = items
    .filter(({ publishedAt }) => isAfter(publishedAt, since) && !isAfter(publishedAt, now))
    .filter((item) => holds(item.title, condition.keyword) && !told.includes(markOf(item)))
    .toSorted((a, b) => Temporal.Instant.compare(b.publishedAt, a.publishedAt));
  if (headlines.length === 0)
    return state.side === 'unmet' ? { kind: 'same' } : { kind: 'quiet', side: 'unmet', memory: state.memory };
  if (isCoolingDown(terms, state, now)) return { kind: 'same' };
  const memory = writeMemory({ told: [...headlines.map(markOf), ...told].slice(0, MAX_TOLD) });
  return { kind: 'fires', memory, headlines };
};

export interface AlertEvaluationDeps extends FeatureUses<
  'clock' | 'logger' | 'wake' | 'market.getQuotes' | 'market.getHistory' | 'market.getNews' | 'membership'
> {
  readonly store: Pick<AlertStore, 'due' | 'expire' | 'fire' | 'saveObservations' | 'revise' | 'end'>;
  readonly directTarget: NoticeDeps['directTarget'];
  readonly corporateActions: CorporateActions;
}

type Groups = ReadonlyMap<string, Group>;

/** How often expired alerts are marked at the least: another process may have set some. */
const EXPIRE_MS = 10 * 60_000;

const addTo = (groups: Map<string, Group>, alert: AlertRecord): void => {
  const { instrument } = alert;
  const group = groups.get(instrument.symbol);
  if (group) group.alerts.push(alert);
  else groups.set(instrument.symbol, { instrument, alerts: [alert] });
};

interface Evaluated {
  readonly alert: AlertRecord;
  readonly outcome: Outcome;
  readonly quote: Quote | undefined;
  readonly headlines?: readonly NewsItem[];
}

/** The alerts whose state changed or whose condition was met. */
const evaluateAll = (
  evaluable: readonly Evaluable[],
  dailies: ReadonlyMap<string, DailySeries>,
  now: Timestamp,
): readonly (Evaluated & Pick<Evaluable, 'isUnsettled'>)[] =>
  evaluable.flatMap(({ instrument, alerts, quote, seenWith, isUnsettled }) => {
    const seen = seenWith(dailies.get(instrument.symbol));
    return alerts.flatMap((alert) => {
      const outcome = evaluateCondition(alert, alert, seen, now);
      return outcome.kind === 'same' ? [] : [{ alert, outcome, quote, isUnsettled }];
    });
  });

/**
 * Evaluates all alerts that are due: one request for the quotes of all of them, then those that need history and
 * headlines. Throws on abort, and where alerts cannot be read. An alert that cannot be written is evaluated again.
 */
export const createAlertEvaluation = (
  deps: AlertEvaluationDeps,
): ((signal: AbortSignal) => Promise<void>) => {
  const { store, market, clock, logger } = deps;
  const data = createAlertData(deps);
  const observer = createPriceObserver({ data, logger });
  let expireAtMs = 0;
  /** Alerts whose condition was met by an unconfirmed price, and their symbols. */
  let postponed: ReadonlyMap<AlertId, string> = new Map();

  /** Expired alerts are never evaluated, so marking them as expired can wait until the next one ends. */
  const expire = async (now: Timestamp): Promise<void> => {
    if (now.epochMilliseconds < expireAtMs) return;
    await store.expire(now);
    expireAtMs = now.epochMilliseconds + EXPIRE_MS;
  };

  const { revise, settle } = createOutcomes(deps);

  const evaluateHeadlines = async (
    groups: Groups,
    quotes: ReadonlyMap<string, Quote>,
    signal: AbortSignal,
    now: Timestamp,
  ): Promise<readonly Evaluated[]> => {
    const news = await data.news([...groups.values()].map(wantedOf), signal);
    const evaluated = [...groups].flatMap(([symbol, { alerts }]) => {
      const headlines = news.get(symbol);
      return headlines
        ? alerts.map((alert) => ({ alert, outcome: evaluateNews(alert, alert, headlines, now) }))
        : [];
    });
    const unpriced = evaluated
      .filter(({ alert, outcome }) => outcome.kind === 'fires' && !quotes.has(alert.instrument.symbol))
      .map(({ alert }) => alert.instrument);
    const more = await quotesOf(market, unpriced, signal);
    return evaluated.map(({ alert, outcome }) => ({
      alert,
      outcome,
      quote: quotes.get(alert.instrument.symbol) ?? more.get(alert.instrument.symbol),
      ...(outcome.headlines && { headlines: outcome.headlines }),
    }));
  };

  return async (signal) => {
    const now = clock.now();
    await expire(now);
    const windowOf = createTradingWindows(now);
    const [priced, news] = [new Map<string, Group>(), new Map<string, Group>()];
    const watched = new Map<string, Group>();
    for (const alert of await store.due(now)) {
      const { condition, instrument, expiresAt } = alert;
      if (expiresAt) expireAtMs = Math.min(expireAtMs, expiresAt.epochMilliseconds);
      const window = condition.kind === 'news' ? undefined : windowOf(instrument);
      if (window) addTo(watched, alert);
      if (!window) addTo(news, alert);
      else if (window.regular || (window.extended && countsExtendedHours(alert))) addTo(priced, alert);
    }
    observer.keepOnly(watched);
    data.keepPrices([...watched.values()].map(wantedOf));
    let quotes: ReadonlyMap<string, Quote> = new Map();
    await attempt(logger, 'prices', signal, async () => {
      const instruments = Array.from(priced.values(), ({ instrument }) => instrument);
      quotes = await quotesOf(market, instruments, signal);
      const eager = new Set(postponed.values());
      const seen = await observer.observe({ groups: priced, quotes, windowOf, eager, now }, signal);
      const late = new Map<AlertId, string>();
      /** An alert that an unconfirmed price would fire waits for one more evaluation. */
      const settled = (evaluated: ReturnType<typeof evaluateAll>): readonly Evaluated[] =>
        evaluated.filter(({ alert: { id, instrument }, outcome, isUnsettled }) => {
          const waits = isUnsettled && outcome.kind === 'fires' && !postponed.has(id);
          if (waits) late.set(id, instrument.symbol);
          return !waits;
        });
      for (const revision of seen.revisions) await revise(revision);
      if (seen.held.length > 0) await store.saveObservations(seen.held);
      const part = (isHard: boolean): readonly Evaluable[] =>
        seen.evaluable.flatMap((one) => {
          const alerts = one.alerts.filter(({ condition }) => needsHistory(condition, one.quote) === isHard);
          return alerts.length > 0 ? [{ ...one, alerts }] : [];
        });
      // Alerts that need only a quote do not wait for those that need history.
      await settle(settled(evaluateAll(part(false), new Map(), now)), now);
      const hard = part(true);
      if (hard.length > 0) {
        const dailies = await data.daily(hard.map(wantedOf), signal);
        await settle(settled(evaluateAll(hard, dailies, now)), now);
      }
      postponed = late;
      const waiting = new Set(late.values());
      observer.markEvaluated(
        seen.evaluable.flatMap(({ instrument: { symbol }, isPart }) =>
          isPart || waiting.has(symbol) ? [] : [symbol],
        ),
      );
    });
    if (news.size > 0)
      await attempt(logger, 'news', signal, async () =>
        settle(await evaluateHeadlines(news, quotes, signal, now), now),
      );
  };
};

/** What comes of an evaluation: firings, adjustments, ends. */
const createOutcomes = (deps: AlertEvaluationDeps) => {
  const { store, logger } = deps;
  /** An alert whose message fails must not hold up the others. */
  const wordsFor = (...of: Parameters<typeof firingMessage>): ReplyPayload | undefined => {
    try {
      return firingMessage(...of);
    } catch (error) {
      logger.error('The message of an alert could not be written', { alertId: of[0].id, error });
      return undefined;
    }
  };

  /** Ends an alert whose owner has left the channel. A failure must not hold up the others. */
  const endOrphan = async (alert: AlertRecord, why: Exclude<Membership, 'member'>): Promise<void> => {
    try {
      const isEnded = await store.end(alert.id, await alertEndNotice(alert, why, deps));
      if (isEnded) deps.wake();
      logger.info('An alert in a channel has ended', { alertId: alert.id, why });
    } catch (error) {
      logger.error('An alert in a channel could not be ended', { alertId: alert.id, error });
    }
  };

  const endIfGone = async (firing: Firing): Promise<readonly Firing[]> => {
    const found = await deps.membership(firing.alert.target);
    if (found === 'member') return [firing];
    await endOrphan(firing.alert, found);
    return [];
  };

  /** A revision that cannot be written is found again in the next evaluation. */
  const revise = async (revision: Revision): Promise<void> => {
    const [first] = revision.changes;
    if (!first) return;
    const { alert } = first;
    try {
      const found = await deps.membership(alert.target);
      if (found !== 'member') {
        for (const change of revision.changes) await endOrphan(change.alert, found);
        return;
      }
      if (await store.revise(revision)) deps.wake();
      logger.info('Alerts were adjusted or held back', {
        symbol: alert.instrument.symbol,
        alerts: revision.changes.length,
      });
    } catch (error) {
      logger.error('Alerts could not be adjusted', { alertId: alert.id, error });
    }
  };

  const settle = async (evaluated: readonly Evaluated[], now: Timestamp): Promise<void> => {
    const firings: Firing[] = [];
    const observations: EvaluationOutcome[] = [];
    for (const { alert, outcome, quote, headlines = [] } of evaluated) {
      if (outcome.kind === 'quiet') observations.push({ alert, side: outcome.side, memory: outcome.memory });
      if (outcome.kind !== 'fires') continue;
      const payload = wordsFor(alert, quote, headlines, outcome);
      if (payload) firings.push({ alert, at: now, payload, memory: outcome.memory });
    }
    const told = (await Promise.all(firings.map(endIfGone))).flat();
    if (told.length > 0) {
      const fired = await store.fire(told);
      if (fired.length > 0) deps.wake();
      logger.info('Alerts fired', { alerts: fired.length });
    }
    if (observations.length > 0) await store.saveObservations(observations);
  };

  return { revise, settle };
};

const quotesOf = async (
  market: AlertEvaluationDeps['market'],
  instruments: readonly Instrument[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Quote>> => {
  if (instruments.length === 0) return new Map();
  const results = await market.getQuotes(instruments, signal);
  return new Map(
    results.flatMap((result) =>
      result.status === 'ok' ? [[result.quote.instrument.symbol, result.quote] as const] : [],
    ),
  );
};

/** A part that fails does not stop the others. */
const attempt = async (
  logger: AlertEvaluationDeps['logger'],
  part: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    logger.warn('Some alerts could not be evaluated', { part, cause: errorMessage(error) });
  }
};
