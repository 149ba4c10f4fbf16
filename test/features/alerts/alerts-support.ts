import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { MembershipCheck } from '#src/kernel/channel/channel.ts';
import type { CorporateAction, CorporateActions } from '#src/kernel/market/corporate-action.ts';
import type { NewsItem, Quote, SourceQuote } from '#src/kernel/market/finance.ts';
import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { createAlertService } from '#src/features/alerts/service.ts';
import { createChatNotices } from '#src/features/open/chat-notices.ts';
import { createAlertWatch } from '#src/features/alerts/watching/alert-watch.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import type { Bar, MarketSource } from '#src/markets/sources/source.ts';
import { ConcurrencyLaneManager } from '#src/platform/concurrency/concurrency-lane.ts';
import { createAuditStore } from '#src/people/store/audit.ts';
import { createBriefingStore } from '#src/features/briefings/store.ts';
import { createAlertStore } from '#src/features/alerts/store.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';

export const { signal } = new AbortController();
/** A Monday on which New York has been open for half an hour. */
export const OPEN = '2026-11-16T15:00:00Z';
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

type Moved = Partial<Omit<SourceQuote, 'price'>> &
  Pick<Quote, 'otherPrice'> & { readonly price: number | string };

/** Nothing is ever split. */
export const NO_ACTIONS: CorporateActions = {
  since: async () => ({ status: 'ok', actions: [], source: 'none' }),
  lookAgain: async () => ({ status: 'ok', actions: [], source: 'none' }),
};

/** Splits as a test reports them; `break` makes the source unavailable. */
const createHandActions = () => {
  const actions: CorporateAction[] = [];
  const asked: string[] = [];
  let isBroken = false;
  const answer: CorporateActions['since'] = async ({ symbol }, first) => {
    asked.push(`${symbol} ${first.toString()}`);
    return isBroken ? { status: 'unavailable' } : { status: 'ok', actions, source: 'hand' };
  };
  return {
    corporateActions: { since: answer, lookAgain: answer },
    asked,
    split: (date: string, ratio: number | string): void =>
      void actions.push({ kind: 'split', date: Temporal.PlainDate.from(date), ratio: new Decimal(ratio) }),
    break: (value = true): void => {
      isBroken = value;
    },
  };
};

/** Prices that stand where a test puts them, with the time of the clock unless it says another one. */
export const createHandMarket = (clock: ManualClock, isSample = false) => {
  const prices = new Map<string, Moved>();
  const closes = new Map<string, readonly number[]>();
  const headlines: NewsItem[] = [];
  const asked = { quotes: [] as string[][], histories: [] as string[], news: [] as string[] };
  let isBroken = false;
  const barsOf = (values: readonly number[]): readonly Bar[] =>
    values.map((value, index) => {
      const close = new Decimal(value);
      const at = clock.now().subtract({ hours: 24 * (values.length - index) });
      return { at, open: close, high: close, low: close, close, volume: new Decimal(1_000) };
    });
  const source: MarketSource = {
    name: 'hand',
    isSample,
    supports: () => true,
    getQuotes: async (wanted) => {
      asked.quotes.push(wanted.map(({ symbol }) => symbol));
      if (isBroken) throw new Error('out of reach');
      return wanted.flatMap((instrument): readonly SourceQuote[] => {
        const moved = prices.get(instrument.symbol);
        if (!moved) return [];
        const { price, ...rest } = moved;
        const base = { instrument, asOf: clock.now(), source: 'hand', isSample };
        return [{ ...base, ...rest, price: new Decimal(price) }];
      });
    },
    getHistory: async (instrument, range) => {
      asked.histories.push(instrument.symbol);
      const bars = barsOf(closes.get(instrument.symbol) ?? []);
      if (bars.length === 0) return null;
      const common = { interval: '1d', timeZone: 'UTC', asOf: clock.now(), source: 'hand' } as const;
      return { instrument, range, bars, isSample, ...common };
    },
    getNews: async ({ instrument }) => {
      asked.news.push(instrument?.symbol ?? '');
      return headlines;
    },
  };
  const { logger } = recordingLogger();
  const market = createMarket({ sources: [source], calendar: { sessionOf, lastCloseBefore }, clock, logger });
  return {
    market,
    asked,
    move: (symbol: string, price: number | string, rest: Partial<Moved> = {}): void =>
      void prices.set(symbol, { ...rest, price }),
    past: (symbol: string, values: readonly number[]): void => void closes.set(symbol, values),
    publish: (title: string): void =>
      void headlines.push({
        title,
        url: `https://news.example/${headlines.length}`,
        publisher: 'Example Press',
        publishedAt: clock.now(),
        symbols: [],
      }),
    break: (value = true): void => {
      isBroken = value;
    },
  };
};

export const requesterOf = (user: string, overrides: Partial<Requester> = {}): Requester => {
  const userId = asId<UserId>(user);
  const channelId = asId<ChannelId>('discord');
  return {
    channelId,
    userId,
    name: user,
    locale: 'en',
    timeZone: 'Asia/Seoul',
    isDirect: true,
    target: {
      channelId,
      accountId: asId<AccountId>('bot'),
      chatId: asId<ChatId>(user),
      recipientId: userId,
      isDirect: true,
    },
    requestId: crypto.randomUUID(),
    ...overrides,
  };
};

export const inChannel = (user: string): Partial<Requester> => ({
  isDirect: false,
  target: {
    channelId: asId<ChannelId>('discord'),
    accountId: asId<AccountId>('bot'),
    chatId: asId<ChatId>('general'),
    recipientId: asId<UserId>(user),
  },
});

interface SetUp {
  readonly at?: string;
  readonly isSample?: boolean;
  readonly maxAlerts?: number;
  readonly membership?: MembershipCheck;
}

export const IN_CHANNELS = { perChat: 4, repeatingPerPerson: 2, repeatMinutes: 15 };

const directTarget = async ({ target }: Pick<Requester, 'target'>) => requesterOf(target.recipientId).target;

/** The desk and the watch on a real database, a market that is moved by hand, and a clock that stands. */
export const setUp = async ({
  at = OPEN,
  isSample = false,
  maxAlerts = 3,
  membership = async () => 'member',
}: SetUp = {}) => {
  const clock = new ManualClock(at);
  const hand = createHandMarket(clock, isSample);
  const actions = createHandActions();
  const { storage } = await sqliteStorage();
  const store = createAlertStore(storage, clock);
  const { logger, records } = recordingLogger();
  let woken = 0;
  const lanes = new ConcurrencyLaneManager(clock);
  const wake = (): void => {
    woken += 1;
  };
  const openWatch = () =>
    createAlertWatch({
      store,
      market: hand.market,
      corporateActions: actions.corporateActions,
      clock,
      lanes,
      wake,
      membership,
      directTarget,
      logger,
    });
  const watch = openWatch();
  const service = createAlertService({
    store,
    owners: createOwnerStore(storage, clock),
    market: hand.market,
    symbols,
    directTarget: async ({ userId }) => requesterOf(userId).target,
    changed: watch.changed,
    maxAlerts,
    inChannels: IN_CHANNELS,
    clock,
  });
  const audit = createAuditStore(storage);
  const briefings = createBriefingStore(storage, clock);
  const chatNotices = createChatNotices({ alerts: store, briefings, audit, directTarget, wake, clock });
  return {
    clock,
    hand,
    actions,
    storage,
    store,
    service,
    briefings,
    audit,
    chatNotices,
    watch,
    openWatch,
    records,
    woken: () => woken,
    /** What was told so far. */
    told: () => toldIn(storage),
    /** Sets one for Mina. */
    set: async (text: string, requester = requesterOf('mina')): Promise<AlertRecord> => {
      const answer = await service.set({ text }, requester, signal);
      const alert = (await store.due(clock.now())).find(({ id }) =>
        JSON.stringify(answer.choices).includes(id),
      );
      if (!alert) throw new Error(answer.content);
      return alert;
    },
    /** So much later, with another price, one look. */
    look: async (minutes: number, symbol?: string, price?: number | string, rest: Partial<Moved> = {}) => {
      await clock.advance(minutes * MINUTE);
      if (symbol !== undefined && price !== undefined) hand.move(symbol, price, rest);
      await watch.tick();
    },
  };
};

const toldIn = async (storage: Storage): Promise<readonly string[]> => {
  const rows = await storage.db.selectFrom('notifications').select('payload').orderBy('due_at').execute();
  return rows.map(({ payload }) => (JSON.parse(payload) as { readonly text: string }).text);
};
