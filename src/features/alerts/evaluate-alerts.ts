import { createHash } from 'node:crypto';
import type { AlertRecord } from '#src/kernel/alert.ts';
import type { Instrument, NewsItem, Quote } from '#src/kernel/finance.ts';
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
import type { CorporateActions } from '#src/kernel/corporate-action.ts';
import type { Membership, MembershipCheck } from '#src/kernel/channel.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import type { ReplyPayload } from '#src/kernel/message.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { AlertStore, EvaluationOutcome, Firing, Revision } from './store-types.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { alertEndNotice, type NoticeDeps } from './notices.ts';
import { createAlertData } from './alert-data.ts';
import type { DailySeries } from './daily-series.ts';
import type { Wanted } from './round-robin.ts';
import { firingMessage } from './firing-message.ts';
import { createSights, type Evaluable, type Group } from './observe-prices.ts';
import { createTradingWindows } from './trading-window.ts';

export type NewsOutcome = Outcome & { readonly headlines?: readonly NewsItem[] };

/** What a source lists for the first time a week later is no news. */
const NEWS_HOURS = 7 * 24;
/** More than a source lists at once, so that nothing that is still listed is told of again. */
const MAX_TOLD = 60;

const keyOf = (text: string): string => text.normalize('NFKC').toLowerCase();

const markOf = ({ title }: NewsItem): string =>
  createHash('sha256').update(keyOf(title)).digest('base64url').slice(0, 8);

const isAfter = (a: Timestamp, b: Timestamp): boolean => Temporal.Instant.compare(a, b) > 0;

/** All words of it, in any order; none: every headline. */
const holds = (title: string, keyword: string): boolean => {
  const words = keyOf(keyword).split(/\s+/u);
  const text = keyOf(title);
  return words.every((word) => text.includes(word));
};

/**
 * Headlines with the words that were not told of yet, all of them together, in whichever order a source lists them;
 * what came before the alert never. While it cools down they wait.
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

export interface AlertEvaluationDeps {
  readonly store: Pick<AlertStore, 'due' | 'expire' | 'fire' | 'look' | 'revise' | 'end'>;
  /** Asked before something is told in a channel: its owner may have left. */
  readonly membership: MembershipCheck;
  readonly directTarget: NoticeDeps['directTarget'];
  readonly market: Pick<Market, 'getQuotes' | 'getHistory' | 'getNews'>;
  readonly corporateActions: CorporateActions;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /** There is something to send. */
  readonly wake: () => void;
}

type Groups = ReadonlyMap<string, Group>;

/** Others, here or in another process, end meanwhile. */
const EXPIRE_MS = 10 * 60_000;

const instrumentsOf = (groups: Groups): readonly Instrument[] =>
  [...groups.values()].map(({ instrument }) => instrument);

const wantedOf = ({ instrument, alerts }: Pick<Evaluable, 'instrument' | 'alerts'>): Wanted => ({
  instrument,
  owners: new Set(alerts.map(({ ownerId }) => ownerId)),
});

const addTo = (groups: Map<string, Group>, alert: AlertRecord): void => {
  const { instrument } = alert;
  const group = groups.get(instrument.symbol);
  if (group) group.alerts.push(alert);
  else groups.set(instrument.symbol, { instrument, alerts: [alert] });
};

interface Judged {
  readonly alert: AlertRecord;
  readonly outcome: Outcome;
  readonly quote: Quote | undefined;
  readonly headlines?: readonly NewsItem[];
}

/** What changed, or came true. */
const judgeAll = (
  judgeable: Iterable<readonly [symbol: string, Evaluable]>,
  dailies: ReadonlyMap<string, DailySeries>,
  now: Timestamp,
): readonly (Judged & Pick<Evaluable, 'isUnsettled'>)[] =>
  [...judgeable].flatMap(([symbol, { alerts, quote, seenWith, isUnsettled }]) => {
    const seen = seenWith(dailies.get(symbol));
    return alerts.flatMap((alert) => {
      const outcome = evaluateCondition(alert, alert, seen, now);
      return outcome.kind === 'same' ? [] : [{ alert, outcome, quote, isUnsettled }];
    });
  });

/**
 * One look at all alerts that may be judged now: one question for the quotes of all of them, then what needs history
 * and headlines. Throws on abort, and where alerts cannot be read; what cannot be written is seen again.
 */
export const createAlertEvaluation = (
  deps: AlertEvaluationDeps,
): ((signal: AbortSignal) => Promise<void>) => {
  const { store, market, clock, logger } = deps;
  const data = createAlertData(deps);
  const sights = createSights({ data, logger });
  let expireAtMs = 0;
  /** Alerts that came true by a price in doubt, and their symbols. */
  let postponed: ReadonlyMap<AlertId, string> = new Map();

  /** What has ended is not judged in any case: it is enough to write that down when one of them ends. */
  const expire = async (now: Timestamp): Promise<void> => {
    if (now.epochMilliseconds < expireAtMs) return;
    await store.expire(now);
    expireAtMs = now.epochMilliseconds + EXPIRE_MS;
  };

  const quotesOf = async (
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

  /** One that cannot be put into words must not keep the others from being told. */
  const wordsFor = (...of: Parameters<typeof firingMessage>): ReplyPayload | undefined => {
    try {
      return firingMessage(...of);
    } catch (error) {
      logger.error('An alert could not be put into words', { alertId: of[0].id, error });
      return undefined;
    }
  };

  /** Nobody of its own would read it there. A failure here must not keep the others from being told. */
  const endGone = async (alert: AlertRecord, why: Exclude<Membership, 'member'>): Promise<void> => {
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
    await endGone(firing.alert, found);
    return [];
  };

  /** One that cannot be written is found again at the next look. */
  const revise = async (revision: Revision): Promise<void> => {
    const [first] = revision.changes;
    if (!first) return;
    const { alert } = first;
    try {
      const found = await deps.membership(alert.target);
      if (found !== 'member') {
        for (const change of revision.changes) await endGone(change.alert, found);
        return;
      }
      if (await store.revise(revision)) deps.wake();
      logger.info('alerts were adjusted or held back', {
        symbol: alert.instrument.symbol,
        alerts: revision.changes.length,
      });
    } catch (error) {
      logger.error('Alerts could not be adjusted', { alertId: alert.id, error });
    }
  };

  const stillThere = async (firings: readonly Firing[]): Promise<readonly Firing[]> =>
    (await Promise.all(firings.map(endIfGone))).flat();

  const settle = async (judged: readonly Judged[], now: Timestamp): Promise<void> => {
    const firings: Firing[] = [];
    const looks: EvaluationOutcome[] = [];
    for (const { alert, outcome, quote, headlines = [] } of judged) {
      if (outcome.kind === 'quiet') looks.push({ alert, side: outcome.side, memory: outcome.memory });
      if (outcome.kind !== 'fires') continue;
      const payload = wordsFor(alert, quote, headlines, outcome);
      if (payload) firings.push({ alert, at: now, payload, memory: outcome.memory });
    }
    const told = await stillThere(firings);
    if (told.length > 0) {
      const fired = await store.fire(told);
      if (fired.length > 0) deps.wake();
      logger.info('alerts came true', { alerts: fired.length });
    }
    if (looks.length > 0) await store.look(looks);
  };

  const lookAtNews = async (
    groups: Groups,
    quotes: ReadonlyMap<string, Quote>,
    signal: AbortSignal,
    now: Timestamp,
  ): Promise<readonly Judged[]> => {
    const news = await data.news([...groups.values()].map(wantedOf), signal);
    const judged = [...groups].flatMap(([symbol, { alerts }]) => {
      const headlines = news.get(symbol);
      return headlines
        ? alerts.map((alert) => ({ alert, outcome: evaluateNews(alert, alert, headlines, now) }))
        : [];
    });
    const unpriced = judged
      .filter(({ alert, outcome }) => outcome.kind === 'fires' && !quotes.has(alert.instrument.symbol))
      .map(({ alert }) => alert.instrument);
    const more = await quotesOf(unpriced, signal);
    return judged.map(({ alert, outcome }) => ({
      alert,
      outcome,
      quote: quotes.get(alert.instrument.symbol) ?? more.get(alert.instrument.symbol),
      ...(outcome.headlines && { headlines: outcome.headlines }),
    }));
  };

  /** One part that fails leaves the others to be done. */
  const attempt = async (part: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      logger.warn('Some alerts could not be looked at', { part, cause: errorMessage(error) });
    }
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
    sights.keepOnly(watched);
    data.keepPrices([...watched.values()].map(wantedOf));
    let quotes: ReadonlyMap<string, Quote> = new Map();
    await attempt('prices', signal, async () => {
      quotes = await quotesOf(instrumentsOf(priced), signal);
      const seen = await sights.sight(
        { groups: priced, quotes, windowOf, now },
        new Set(postponed.values()),
        signal,
      );
      const late = new Map<AlertId, string>();
      /** What comes true by a price in doubt waits for a second look, and no longer. */
      const settled = (judged: ReturnType<typeof judgeAll>): readonly Judged[] =>
        judged.filter(({ alert: { id, instrument }, outcome, isUnsettled }) => {
          const waits = isUnsettled && outcome.kind === 'fires' && !postponed.has(id);
          if (waits) late.set(id, instrument.symbol);
          return !waits;
        });
      for (const revision of seen.revisions) await revise(revision);
      if (seen.held.length > 0) await store.look(seen.held);
      const part = (isHard: boolean): readonly (readonly [string, Evaluable])[] =>
        [...seen.judgeable].flatMap(([symbol, one]) => {
          const alerts = one.alerts.filter(({ condition }) => needsHistory(condition, one.quote) === isHard);
          return alerts.length > 0 ? [[symbol, { ...one, alerts }] as const] : [];
        });
      // What needs nothing else does not wait for what does.
      await settle(settled(judgeAll(part(false), new Map(), now)), now);
      const hard = part(true);
      if (hard.length > 0) {
        const dailies = await data.daily(
          hard.map(([, one]) => wantedOf(one)),
          signal,
        );
        await settle(settled(judgeAll(hard, dailies, now)), now);
      }
      postponed = late;
      const waiting = new Set(late.values());
      sights.judged(
        [...seen.judgeable].flatMap(([symbol, { isPart }]) =>
          isPart || waiting.has(symbol) ? [] : [symbol],
        ),
      );
    });
    if (news.size > 0)
      await attempt('news', signal, async () => settle(await lookAtNews(news, quotes, signal, now), now));
  };
};
