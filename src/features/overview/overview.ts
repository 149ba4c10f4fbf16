import type { QueryDeps } from '#src/features/feature.ts';
import type { Instrument, Quote, QuoteResult, SymbolSearch } from '#src/kernel/market/finance.ts';
import { detailsControl, refreshControl } from '#src/markets/answers/controls.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import type { Audience, MarketQuery } from '#src/kernel/chat/answer.ts';
import { formatPercent } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { formatPrice, instrumentLabel } from '#src/markets/answers/quote-text.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import {
  foundQuotes,
  instrumentsOf,
  missingTexts,
  quotesCard,
  quoteTable,
  shortTable,
  shortTableOrigin,
  tableOrigin,
} from '#src/markets/answers/quote-table.ts';
import { type ResolvedNames, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { BIG_COINS, type CoinCurrency, MARKET_SYMBOLS } from '#src/markets/answers/well-known.ts';

export interface OverviewRequest {
  readonly of: 'markets' | 'crypto';
  /** Of coins. Default: won for Korean readers, dollars for others. */
  readonly currency?: 'KRW' | 'USD' | undefined;
  /** Of coins. Default: the biggest. */
  readonly names?: readonly string[] | undefined;
}

export interface OverviewQueries {
  readonly overview: MarketQuery<OverviewRequest>;
}

type OverviewDeps = QueryDeps<'getQuotes', 'clock'>;

const WON = 'BTC-KRW';
const DOLLAR = 'BTC-USD';
const RATE = 'USDKRW=X';

/** The prices that the kimchi premium is computed from. */
const KIMCHI_SYMBOLS: readonly string[] = [WON, DOLLAR, RATE];

interface Premium {
  readonly text: string;
  /** The premium and the prices it is computed from. */
  readonly facts: readonly Fact[];
}

/**
 * How much more bitcoin costs in Korea than elsewhere. Undefined if a price is missing or old, and if both prices
 * come from one source: its won price is a converted dollar price and has no premium.
 */
const kimchiPremium = (quotes: readonly Quote[], { locale, timeZone }: Audience): Premium | undefined => {
  const of = (symbol: string): Quote | undefined =>
    quotes.find(({ instrument }) => instrument.symbol === symbol);
  const [won, dollar, rate] = [of(WON), of(DOLLAR), of(RATE)];
  if (!won || !dollar || !rate || won.source === dollar.source) return undefined;
  const used = [won, dollar, rate];
  const converted = dollar.price.times(rate.price);
  if (used.some(({ isStale, isSample }) => isStale || isSample) || converted.isZero()) return undefined;

  const premium = won.price.dividedBy(converted).minus(1);
  const [oldest = won] = used.toSorted((a, b) => Temporal.Instant.compare(a.asOf, b.asOf));
  const price = ({ price: value, instrument }: Quote): string => formatPrice(value, instrument, locale);
  return {
    text: marketTexts(locale).overview.premium({
      percent: formatPercent(premium, locale),
      krw: `${price(won)} (${won.source})`,
      usd: `${price(dollar)} (${dollar.source})`,
      rate: `${price(rate)} (${rate.source})`,
      rateAsOf: writeMoment(rate.asOf, timeZone),
    }),
    facts: [
      {
        entity: 'BTC',
        names: ['비트코인', 'Bitcoin', 'BTC'],
        metric: 'kimchiPremium',
        value: premium.times(100).toFixed(2),
        unit: '%',
        asOf: oldest.asOf.toString(),
        source: [...new Set(used.map(({ source }) => source))].join(', '),
        isSample: false,
      },
      ...used.flatMap(quoteFacts).filter(({ metric }) => metric === 'price'),
    ],
  };
};

const ASIDE_MS = 1_500;

/** A query that names the currency of the coin. */
const HAS_CURRENCY = /(?:krw|usd)(?![a-z])|원|달러/i;

const byLocale: Readonly<Record<Locale, CoinCurrency>> = { ko: 'KRW', en: 'USD' };

const codeOf = ({ symbol }: Instrument): string => symbol.split('-')[0] ?? symbol;

/** The name without the currency that the index adds, because the price shows it. */
const coinName = (coin: Instrument, locale: Locale): string =>
  `${coin.name[locale].replace(/ \([^()]*\)$/, '')} (${codeOf(coin)})`;

/** The same coin in another currency, or the coin itself where that pair is unknown. */
const inCurrency = (
  coin: Instrument,
  currency: CoinCurrency,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Instrument => {
  const match = symbols.resolve(`${codeOf(coin)}-${currency}`);
  return match.status === 'found' && match.instrument.assetClass === 'crypto' ? match.instrument : coin;
};

/** Resolves names to coins first, in this currency: LTC is not LTC Properties here. */
const coinsFirst = (
  currency: CoinCurrency,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Pick<SymbolSearch, 'resolve'> => ({
  resolve: (query) => {
    const match = symbols.resolve(query);
    if (match.status === 'found' && match.instrument.assetClass === 'crypto') return match;
    const choices = match.status === 'ambiguous' ? match.choices : [];
    const coins = choices.filter(({ assetClass }) => assetClass === 'crypto');
    const meant = coins.find((coin) => coin.currency === currency) ?? coins[0];
    const isOne = meant !== undefined && coins.every((coin) => codeOf(coin) === codeOf(meant));
    if (isOne) return { status: 'found', instrument: meant };
    const byCode = symbols.resolve(`${query}-${currency}`);
    return byCode.status === 'found' && byCode.instrument.assetClass === 'crypto' ? byCode : match;
  },
});

interface Coins {
  readonly wanted: readonly Instrument[];
  readonly notes: readonly string[];
  readonly choices: ResolvedNames['choices'];
}

const coinsOf = async (
  queries: readonly string[],
  asked: CoinCurrency | undefined,
  locale: Locale,
  symbols: Pick<SymbolSearch, 'resolve'>,
  signal: AbortSignal,
): Promise<Coins> => {
  const currency = asked ?? byLocale[locale];
  if (queries.length === 0) {
    const codes = BIG_COINS[currency].map((code) => `${code}-${currency}`);
    return { wanted: instrumentsOf(codes, symbols), notes: [], choices: [] };
  }
  const { names, choices } = await resolveNames(
    queries,
    coinsFirst(currency, symbols),
    locale,
    (symbol) => `/price ${symbol}`,
    signal,
  );
  const found = names.flatMap((name, place) =>
    name.status === 'found' ? [{ instrument: name.instrument, query: queries[place] ?? '' }] : [],
  );
  const coins = found
    .filter(({ instrument }) => instrument.assetClass === 'crypto')
    .map(({ instrument, query }) =>
      asked === undefined && HAS_CURRENCY.test(query)
        ? instrument
        : inCurrency(instrument, currency, symbols),
    );
  const others = found
    .filter(({ instrument }) => instrument.assetClass !== 'crypto')
    .map(({ instrument }) => instrumentLabel(instrument, locale));
  return {
    wanted: [...new Map(coins.map((coin) => [coin.symbol, coin])).values()],
    notes: [
      ...names.flatMap((name) => (name.status === 'missed' ? [name.text] : [])),
      ...(others.length > 0 ? [marketTexts(locale).overview.notCoins({ names: others.join(', ') })] : []),
    ],
    choices,
  };
};

/** Coins in one currency, and the kimchi premium. Throws only on abort. */
const coinOverview = ({ market, symbols, clock }: OverviewDeps): OverviewQueries['overview'] => {
  /** Quotes for the remark about the premium. Nobody waits for it: late quotes are left out. */
  const askAside = async (
    instruments: readonly Instrument[],
    parent: AbortSignal,
  ): Promise<readonly QuoteResult[]> => {
    if (instruments.length === 0) return [];
    const { signal, clear } = withDeadline(parent, ASIDE_MS, clock, () => new Error('no answer in time'));
    try {
      return await raceAbort(market.getQuotes(instruments, signal), signal, clock, 0);
    } catch {
      parent.throwIfAborted();
      return [];
    } finally {
      clear();
    }
  };

  return async ({ currency: asked, names = [] }, audience, signal) => {
    const { locale } = audience;
    const t = marketTexts(locale).overview;
    const command = ['/crypto', ...(asked ? [asked.toLowerCase()] : [])].join(' ');
    const { wanted, notes, choices } = await coinsOf(names, asked, locale, symbols, signal);
    const hasBitcoin = wanted.some(({ symbol }) => symbol.startsWith('BTC-'));
    const isWanted = new Set(wanted.map(({ symbol }) => symbol));
    const beside = hasBitcoin
      ? instrumentsOf(KIMCHI_SYMBOLS, symbols).filter(({ symbol }) => !isWanted.has(symbol))
      : [];
    const [own, aside] = await Promise.all([
      wanted.length === 0 ? [] : market.getQuotes(wanted, signal),
      askAside(beside, signal),
    ]);
    const quotes = foundQuotes(own);
    const currencies = new Set(quotes.map(({ instrument }) => instrument.currency));
    const [only] = currencies;
    const premium = quotes.length > 0 ? kimchiPremium(foundQuotes([...own, ...aside]), audience) : undefined;
    const nameOf = ({ instrument }: Quote): string => coinName(instrument, locale);
    const title = t.cryptoTitle({ currency: currencies.size === 1 ? only : undefined });
    const missing = missingTexts(own, locale);
    const shown = [
      `**${title}**`,
      quoteTable(quotes, { nameOf, nameHead: t.coin, levelHead: t.price }, audience),
      ...(premium ? [premium.text] : []),
      tableOrigin(quotes, audience, clock.now()),
    ];
    const brief = [
      `**${title}**`,
      shortTable(quotes, { nameOf, nameHead: t.coin, levelHead: t.price }, audience),
      ...(premium ? [premium.text] : []),
      shortTableOrigin(quotes, audience),
    ];
    return {
      content: [...(quotes.length > 0 ? brief : []), ...missing, ...notes].join('\n\n'),
      ...(quotes.length > 0 && { details: [...shown, ...missing, ...notes].join('\n\n') }),
      facts: [
        ...quotes.flatMap(quoteFacts),
        ...(premium?.facts ?? []).filter(({ entity }) => !isWanted.has(entity)),
      ],
      found: quotes.length,
      ...(quotes.length > 0 && {
        cards: {
          items: [quotesCard(quotes, { title, nameOf }, audience, clock.now())],
          text: [...(premium ? [premium.text] : []), ...missing, ...notes].join('\n\n'),
        },
      }),
      choices:
        names.length > 0 ? choices : [...refreshControl(command, locale), ...detailsControl(command, locale)],
    };
  };
};

const marketOverview =
  ({ market, symbols, clock }: OverviewDeps): OverviewQueries['overview'] =>
  async (_request, audience, signal) => {
    const t = marketTexts(audience.locale).overview;
    const results = await market.getQuotes(instrumentsOf(MARKET_SYMBOLS, symbols), signal);
    const quotes = foundQuotes(results);
    const missing = missingTexts(results, audience.locale);
    const nameOf = ({ instrument: { symbol, name } }: Quote): string =>
      Object.hasOwn(t.short, symbol) ? (t.short[symbol] ?? symbol) : name[audience.locale];
    const open = quotes.filter(({ sessionState, isSample }) => sessionState === 'open' && !isSample);
    const openNow = open.length > 0 ? [t.openNow({ names: open.map(nameOf).join(', ') })] : [];
    const shown = [
      `**${t.marketsTitle()}**`,
      quoteTable(quotes, { nameOf, nameHead: t.name, levelHead: t.level }, audience),
      ...openNow,
      tableOrigin(quotes, audience, clock.now()),
    ];
    const brief = [
      `**${t.marketsTitle()}**`,
      shortTable(quotes, { nameOf, nameHead: t.name, levelHead: t.level }, audience),
      shortTableOrigin(quotes, audience),
    ];
    return {
      content: [...(quotes.length > 0 ? brief : []), ...missing].join('\n\n'),
      ...(quotes.length > 0 && { details: [...shown, ...missing].join('\n\n') }),
      facts: quotes.flatMap(quoteFacts),
      found: quotes.length,
      ...(quotes.length > 0 && {
        cards: {
          items: [
            quotesCard(quotes, { title: t.marketsTitle(), nameOf, notes: openNow }, audience, clock.now()),
          ],
          text: missing.join('\n\n'),
        },
      }),
      choices: [...refreshControl('/market', audience.locale), ...detailsControl('/market', audience.locale)],
    };
  };

/** The markets, or the coins, at a glance. Throws only on abort. */
export const overviewAnswer = (deps: OverviewDeps): OverviewQueries['overview'] => {
  const markets = marketOverview(deps);
  const coins = coinOverview(deps);
  return (request, audience, signal) =>
    request.of === 'crypto' ? coins(request, audience, signal) : markets(request, audience, signal);
};
