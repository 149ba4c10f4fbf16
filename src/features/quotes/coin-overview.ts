import type { Instrument, QuoteResult, SymbolSearch } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { marketMessages } from '#src/markets/answers/market-messages.ts';
import type { MarketQueries } from '#src/kernel/market-queries.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { KIMCHI_SYMBOLS, kimchiPremium } from './kimchi-premium.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { foundQuotes, instrumentsOf, missingTexts } from '#src/markets/answers/quote-results.ts';
import { quoteTable, tableOrigin } from '#src/markets/answers/quote-table.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { type ResolvedNames, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { BIG_COINS, type CoinCurrency } from '#src/markets/answers/well-known.ts';

interface CoinOverviewDeps {
  readonly market: Pick<Market, 'getQuotes'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly clock: Clock;
}

const ASIDE_MS = 1_500;

/** Who names a currency with the coin means that one. */
const HAS_CURRENCY = /(?:krw|usd)(?![a-z])|원|달러/i;

const byLocale: Readonly<Record<Locale, CoinCurrency>> = { ko: 'KRW', en: 'USD' };

const codeOf = ({ symbol }: Instrument): string => symbol.split('-')[0] ?? symbol;

/** Without the currency that the index adds to it: the price shows that. */
const coinName = (coin: Instrument, locale: Locale): string =>
  `${coin.name[locale].replace(/ \([^()]*\)$/, '')} (${codeOf(coin)})`;

/** The same coin in another currency; itself where it is not traded in that. */
const inCurrency = (
  coin: Instrument,
  currency: CoinCurrency,
  symbols: Pick<SymbolSearch, 'resolve'>,
): Instrument => {
  const match = symbols.resolve(`${codeOf(coin)}-${currency}`);
  return match.status === 'found' && match.instrument.assetClass === 'crypto' ? match.instrument : coin;
};

/** Who asks for coins means coins: LTC is not LTC Properties here, and the currency is known. */
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
      ...(others.length > 0 ? [marketMessages(locale).overview.notCoins({ names: others.join(', ') })] : []),
    ],
    choices,
  };
};

/** Coins in one currency, and what bitcoin costs more in Korea. Throws on abort alone. */
export const coinOverview = ({ market, symbols, clock }: CoinOverviewDeps): MarketQueries['overview'] => {
  /** For a remark nobody is kept waiting: what is not there soon is left out. */
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
    const t = marketMessages(locale).overview;
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
    const shown = [
      t.cryptoTitle({ currency: currencies.size === 1 ? only : undefined }),
      quoteTable(
        quotes,
        {
          nameOf: ({ instrument }) => coinName(instrument, locale),
          nameHead: t.coin,
          levelHead: t.price,
        },
        audience,
      ),
      ...(premium ? [premium.text] : []),
      tableOrigin(quotes, audience, clock.now()),
    ];
    return {
      content: [...(quotes.length > 0 ? shown : []), ...missingTexts(own, locale), ...notes].join('\n\n'),
      facts: [
        ...quotes.flatMap(quoteFacts),
        ...(premium?.facts ?? []).filter(({ entity }) => !isWanted.has(entity)),
      ],
      found: quotes.length,
      ...(choices.length > 0 && { choices }),
    };
  };
};
