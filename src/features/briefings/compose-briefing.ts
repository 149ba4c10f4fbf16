import { type Card, type CardsOfAnswer, commonTone } from '#src/kernel/chat/card.ts';
import type { Instrument, NewsItem, Quote, QuoteResult } from '#src/kernel/market/finance.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { briefingTexts } from './texts.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal, formatPercent } from '#src/kernel/money.ts';
import { pageLink } from '#src/markets/answers/instrument-page.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { ARROWS } from '#src/markets/answers/quote-text.ts';
import {
  foundQuotes,
  instrumentsOf,
  missingTexts,
  rowOf,
  shortOriginOf,
  symbolOf,
} from '#src/markets/answers/quote-table.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { writeDate } from '#src/kernel/time.ts';
import { distinctNews, NEWS_FETCHED } from '#src/markets/answers/distinct-news.ts';
import { inMarkdown, untrustedLine } from '#src/markets/answers/untrusted-text.ts';
import type { Market } from '#src/markets/sources/source.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { gainText } from '#src/markets/answers/money-text.ts';
import type { PortfolioMover, PortfolioMovers, PortfolioMoversOf } from '#src/features/portfolio/index.ts';
import type { BriefingRecord } from '#src/kernel/people/briefings.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { MARKET_SYMBOLS } from '#src/markets/answers/well-known.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { WatchlistStore } from '#src/features/watchlist/index.ts';
import { dateOf, sessionsText } from './schedule.ts';
import type { FeatureUses } from '#src/features/services.ts';

/** The results of these instruments, in their order. */
const resultsOf = (
  instruments: readonly Instrument[],
  results: readonly QuoteResult[],
): readonly QuoteResult[] => {
  const bySymbol = new Map(results.map((result) => [symbolOf(result), result]));
  return instruments.flatMap(({ symbol }) => bySymbol.get(symbol) ?? []);
};

/** The size of the move in either direction. A quote without a previous close sorts last. */
const moveOf = ({ price, previousClose }: Quote): Decimal =>
  !previousClose?.greaterThan(0)
    ? new Decimal(-1)
    : price.minus(previousClose).dividedBy(previousClose).abs();

const narrow =
  ({ locale }: Audience) =>
  ({ instrument }: Quote): string =>
    narrowName(instrument, locale);

/** Quotes under a title, in their order. */
interface QuotesPart {
  readonly title: string;
  readonly quotes: readonly Quote[];
  readonly nameOf: (quote: Quote) => string;
  /** Which are missing, and how many more there are. With commands, so no card has them. */
  readonly notes: readonly string[];
}

const marketsPart = (results: readonly QuoteResult[], { locale }: Audience): QuotesPart => {
  const { short } = marketTexts(locale).overview;
  return {
    title: briefingTexts(locale).markets(),
    quotes: foundQuotes(results),
    nameOf: ({ instrument: { symbol, name } }) => short[symbol] ?? name[locale],
    notes: missingTexts(results, locale),
  };
};

const namedPart = (results: readonly QuoteResult[], audience: Audience): QuotesPart => ({
  title: briefingTexts(audience.locale).named(),
  quotes: foundQuotes(results),
  nameOf: narrow(audience),
  notes: missingTexts(results, audience.locale),
});

/** Shows the biggest moves first and counts the rest. */
const watchedPart = (results: readonly QuoteResult[], limit: number, audience: Audience): QuotesPart => {
  const t = briefingTexts(audience.locale);
  const quotes = foundQuotes(results).toSorted((a, b) => moveOf(b).comparedTo(moveOf(a)));
  const left = quotes.length - limit;
  return {
    title: t.watchlist(),
    quotes: quotes.slice(0, limit),
    nameOf: narrow(audience),
    notes: [...missingTexts(results, audience.locale), ...(left > 0 ? [t.moreWatched({ count: left })] : [])],
  };
};

/** `KOSPI 2,613.05 ▲ +0.41%`. */
const lineOf = (quote: Quote, nameOf: QuotesPart['nameOf'], audience: Audience) => {
  const { name, level, change, percent, tone } = rowOf(quote, { nameOf }, audience);
  const move = percent ?? change;
  return {
    name,
    value: [
      level,
      ...(move === undefined ? [] : [ARROWS[tone], move]),
      ...(quote.isStale ? ['⚠️'] : []),
    ].join(' '),
    tone,
  };
};

/** A title, a line for each quote, and the notes. Empty where nothing was asked for. */
const section = ({ title, quotes, nameOf, notes }: QuotesPart, audience: Audience): readonly string[] => {
  if (quotes.length === 0 && notes.length === 0) return [];
  const lines = quotes
    .map((quote) => lineOf(quote, nameOf, audience))
    .map(({ name, value }) => `- ${name} ${value}`);
  return [[`**${title}**`, ...lines, ...notes].join('\n')];
};

const cardOf = ({ title, quotes, nameOf }: QuotesPart, audience: Audience): readonly Card[] => {
  if (quotes.length === 0) return [];
  const fields = quotes.map((quote) => ({
    ...lineOf(quote, nameOf, audience),
    ...pageLink(quote.instrument, audience.locale),
  }));
  return [{ title, headline: '', fields, footer: '', tone: commonTone(fields.map(({ tone }) => tone)) }];
};

interface BriefingNews {
  /** The newest first, each once. */
  readonly items: readonly NewsItem[];
  /** `down`: no source answered. */
  readonly status: 'ok' | 'down';
}

/** One briefing sends at most this many news requests for named instruments. */
const MAX_NEWS_REQUESTS = 3;
/** With fewer headlines than this, news of the whole market is added. */
const ENOUGH_NEWS = 3;

/** Headlines of the named instruments, and of the market where those are few. Throws only on abort. */
const readNews = async (
  market: Pick<Market, 'getNews'>,
  instruments: readonly Instrument[],
  signal: AbortSignal,
): Promise<BriefingNews> => {
  const ask = (instrument?: Instrument) =>
    market.getNews({ ...(instrument && { instrument }), limit: NEWS_FETCHED }, signal);
  const named = await Promise.all(instruments.slice(0, MAX_NEWS_REQUESTS).map(ask));
  const ofNamed = distinctNews(named.flatMap((result) => (result.status === 'ok' ? result.value : [])));
  if (ofNamed.length >= ENOUGH_NEWS) return { items: ofNamed, status: 'ok' };
  const whole = await ask();
  const others = distinctNews([...ofNamed, ...(whole.status === 'ok' ? whole.value : [])]);
  const isNamed = new Set(ofNamed.map(({ title }) => title));
  const items = [...ofNamed, ...others.filter(({ title }) => !isNamed.has(title))];
  if (items.length > 0) return { items, status: 'ok' };
  const reasons = new Set(
    [...named, whole].flatMap((result) => (result.status === 'ok' ? [] : [result.reason])),
  );
  return { items, status: reasons.has('down') ? 'down' : 'ok' };
};

/** Headlines are untrusted text: they are escaped, and shown with publisher and the whole address. */
const newsText = ({ items, status }: BriefingNews, limit: number, { locale }: Audience): string => {
  const t = briefingTexts(locale);
  if (items.length === 0) return status === 'down' ? t.newsFailed() : t.newsNone();
  const lines = items
    .slice(0, limit)
    .map(
      ({ title, publisher, url }) =>
        `- ${inMarkdown(title)}${publisher === '' ? '' : ` (${inMarkdown(publisher)})`}${url === '' ? '' : `\n  <${url}>`}`,
    );
  return [t.news(), ...lines].join('\n');
};

/** Headlines as a card, so that they stand below the prices. The text of cards is plain. */
const newsCard = ({ items }: BriefingNews, limit: number, { locale }: Audience): readonly Card[] =>
  items.length === 0
    ? []
    : [
        {
          title: briefingTexts(locale).news().replaceAll('*', ''),
          headline: '',
          fields: items.slice(0, limit).map(({ title, publisher, url }) => ({
            name: untrustedLine(title, MAX_HEADLINE),
            value: [untrustedLine(publisher, MAX_HEADLINE), url].filter((part) => part !== '').join('\n'),
            isWide: true,
          })),
          footer: '',
          tone: 'flat',
        },
      ];

const newsFacts = (items: readonly NewsItem[]): readonly Fact[] =>
  items.map(({ title, publisher, publishedAt, symbols, isSample }) => ({
    entity: symbols[0] ?? 'market',
    metric: 'headline',
    value: title,
    unit: 'text',
    asOf: publishedAt.toString(),
    source: publisher || 'news',
    isSample: isSample === true,
  }));

const MAX_HEADLINE = 200;
const MAX_MOVERS = 3;

const names = (instruments: readonly Instrument[], locale: Locale): string =>
  instruments.map((instrument) => narrowName(instrument, locale)).join(', ');

const markOf = ({ isMarked }: PortfolioMover): string => (isMarked === true ? ' ⚠️' : '');

/** The holdings that moved the portfolio most, and the sum of all of them. */
export const moversText = (
  { currency, movers, unpriced, notes = [], origin }: PortfolioMovers,
  { locale }: Audience,
): string => {
  const t = briefingTexts(locale);
  const money = (value: Decimal): string => gainText(value, currency, locale);
  const sorted = movers.toSorted((a, b) => b.effect.abs().comparedTo(a.effect.abs()));
  const total = movers.reduce((sum, { effect }) => sum.plus(effect), new Decimal(0));
  const biggest = sorted
    .slice(0, MAX_MOVERS)
    .map(
      (mover) =>
        `- ${narrowName(mover.instrument, locale)}${markOf(mover)}: ${formatPercent(mover.change, locale)} → ${money(mover.effect)}`,
    );
  return [
    t.movers(),
    ...biggest,
    ...(movers.length > 0 ? [t.moversTotal({ total: money(total), origin })] : []),
    ...notes,
    ...(unpriced.length > 0 ? [t.moversUnpriced({ names: names(unpriced, locale) })] : []),
  ].join('\n');
};

/** The person a briefing is for, and its subjects. A stored briefing is one. */
export type BriefingOrder = Pick<
  BriefingRecord,
  'ownerId' | 'isPrivate' | 'instruments' | 'locale' | 'timeZone'
>;

export interface ComposedBriefing {
  /** Markdown; without the mark of sample data. */
  readonly text: string;
  /** The quotes as cards, with everything else as text. Absent without quotes. */
  readonly cards?: CardsOfAnswer;
  readonly facts: readonly Fact[];
  /** No source had anything. */
  readonly isEmpty: boolean;
}

/** Throws only on abort. */
export type ComposeBriefing = (order: BriefingOrder, signal: AbortSignal) => Promise<ComposedBriefing>;

export interface ComposeDeps extends FeatureUses<
  'clock' | 'logger' | 'symbols.resolve' | 'market.getQuotes' | 'market.getNews'
> {
  readonly watchlist: Pick<WatchlistStore, 'list'>;
  readonly portfolioMovers: PortfolioMoversOf;
}

const PART_LIMIT_MS = 20_000;
/** The message limit of the strictest platform, less some room for tables that are drawn wider there. */
const ONE_MESSAGE = 1_700;
/** The largest size that fits is used. Instruments that were named are always shown. */
const SIZES = [
  { watched: 5, headlines: 3 },
  { watched: 3, headlines: 2 },
] as const;

/** The first that fits into one message, or else the last. */
const fitting = (texts: readonly string[]): string =>
  texts.find(({ length }) => length <= ONE_MESSAGE) ?? texts.at(-1) ?? '';

const distinct = (instruments: readonly Instrument[]): readonly Instrument[] => [
  ...new Map(instruments.map((instrument) => [instrument.symbol, instrument])).values(),
];

/**
 * A briefing has sessions, markets, named instruments and headlines. A private one also has the watchlist and the movers
 * of the portfolio; in a place that others read, those are not even looked up. A part that fails is named, and the
 * others are still shown.
 */
export const createBriefingComposer = (deps: ComposeDeps): ComposeBriefing => {
  const { market, symbols, watchlist, portfolioMovers, clock, logger } = deps;

  const part = async <T>(
    name: string,
    parent: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | 'failed'> => {
    const late = (): Error => new FinClawError(`No ${name} within ${PART_LIMIT_MS} ms`, 'TIMEOUT');
    const { signal, clear } = withDeadline(parent, PART_LIMIT_MS, clock, late);
    try {
      return await raceAbort(task(signal), signal);
    } catch (error) {
      parent.throwIfAborted();
      logger.warn('A part of a briefing failed', { part: name, error });
      return 'failed';
    } finally {
      clear();
    }
  };

  return async (order, signal) => {
    const { ownerId, isPrivate, instruments: named, ...audience } = order;
    const t = briefingTexts(audience.locale);
    const markets = instrumentsOf(MARKET_SYMBOLS, symbols);
    const list = isPrivate ? await part('watchlist', signal, () => watchlist.list(ownerId)) : [];
    const isNamed = new Set(named.map(({ symbol }) => symbol));
    const watched = list === 'failed' ? [] : list.filter(({ symbol }) => !isNamed.has(symbol));
    const [quoted, news, movers] = await Promise.all([
      part('quotes', signal, (within) =>
        market.getQuotes(distinct([...markets, ...named, ...watched]), within),
      ),
      part('news', signal, (within) => readNews(market, named, within)),
      isPrivate
        ? part('portfolio', signal, (within) => portfolioMovers(ownerId, audience, within))
        : undefined,
    ]);

    const now = clock.now();
    const results: readonly QuoteResult[] = quoted === 'failed' ? [] : quoted;
    const quotes = foundQuotes(results);
    const heard = news === 'failed' ? { items: [], status: 'down' as const } : news;
    const origin = quotes.length > 0 ? [shortOriginOf(quotes, audience)] : [];
    const partsOf = (rows: number): readonly QuotesPart[] => [
      marketsPart(resultsOf(markets, results), audience),
      namedPart(resultsOf(named, results), audience),
      watchedPart(resultsOf(watched, results), rows, audience),
    ];
    const title = t.title({ date: writeDate(dateOf(now, audience.timeZone), audience.locale) });
    const above = [
      `${title} · ${sessionsText(now, audience)}`,
      ...(quoted === 'failed' ? [t.quotesFailed()] : []),
      ...(list === 'failed' ? [t.watchlistFailed()] : []),
    ];
    const ofPortfolio =
      movers === 'failed' ? [t.moversFailed()] : movers ? [moversText(movers, audience)] : [];
    const textOf = ({ watched: rows, headlines }: (typeof SIZES)[number]): string =>
      [
        ...above,
        ...partsOf(rows).flatMap((each) => section(each, audience)),
        ...ofPortfolio,
        newsText(heard, headlines, audience),
        ...origin,
      ].join('\n\n');
    const drawn = partsOf(SIZES[0].watched);
    const hasNewsCard = heard.items.length > 0;
    const besideCards = [
      ...above,
      ...drawn.flatMap(({ notes }) => notes),
      ...ofPortfolio,
      ...(hasNewsCard ? [] : [newsText(heard, SIZES[0].headlines, audience)]),
    ].join('\n\n');
    const cards = [
      ...drawn.flatMap((each) => cardOf(each, audience)),
      ...newsCard(heard, SIZES[0].headlines, audience),
    ];
    const items = cards.map((card, index) =>
      index === cards.length - 1 ? { ...card, footer: origin.join('') } : card,
    );
    return {
      text: fitting(SIZES.map(textOf)),
      ...(items.length > 0 && {
        cards: { items, text: besideCards, isAnswer: false },
      }),
      facts: [
        ...quotes.flatMap(quoteFacts),
        ...(movers === 'failed' ? [] : (movers?.facts ?? [])),
        ...newsFacts(heard.items.slice(0, SIZES[0].headlines)),
      ],
      isEmpty: quotes.length === 0 && heard.items.length === 0,
    };
  };
};
