import { chartWire, type FakeEvents, type FakeSplit, isInterval } from './chart-wire.ts';
import { errorBody, type YahooEndpoint } from './faults.ts';
import { type FakeListing, LISTINGS, MARKETS } from './listings.ts';
import { epochSeconds, onlyFields, quoteWire, summaryWire, type WireFields } from './quote-wire.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What the fake knows about markets, and what a test changes in it. */
export interface FakeBook {
  /** Lays fields of Yahoo's over the quote of a symbol; `undefined` takes one away. A new symbol is like AAPL. */
  readonly setQuote: (symbol: string, fields: WireFields) => void;
  /** Delisted: nobody knows it any more. */
  readonly remove: (symbol: string) => void;
  /** The whole `result[0]` of a chart. */
  readonly setChart: (symbol: string, chart: WireFields) => void;
  /** Splits and dividends of a symbol. Prices are not touched: what a test sets is of today. */
  readonly setEvents: (symbol: string, events: FakeEvents) => void;
  /** A split from that day on, with the price and the close before it counted in the new shares. */
  readonly split: (symbol: string, split: FakeSplit) => void;
  /** A new listing, or other facts of one that there is: a name, a kind, a first day. */
  readonly list: (symbol: string, facts: NewListing) => void;
  readonly setSummary: (symbol: string, modules: WireFields) => void;
  /** What a search finds, whatever it is for; or by query. */
  readonly setNews: (news: readonly unknown[], query?: string) => void;
}

type NewListing = Partial<Omit<FakeListing, 'symbol' | 'market'>> & {
  readonly market?: keyof typeof MARKETS;
};

const MAX_SYMBOLS = 100;
const PRICES =
  /^(?:regularMarket(?:Price|PreviousClose|Open|DayLow|DayHigh)|fiftyTwoWeek(?:Low|High)|(?:pre|post)MarketPrice)$/u;

export const refusal = (status: number, name: string, code: string, description: string): Answer => ({
  status,
  body: errorBody(name, code, description),
});

/** What a search finds as long as no test says otherwise. */
const usualNews = (query: string, now: Temporal.Instant): readonly unknown[] =>
  ['Shares rise on strong demand', 'Analysts look ahead to the next report'].map((title, index) => ({
    uuid: `${query}-${String(index)}`,
    title: `${query}: ${title}`,
    publisher: 'Example Wire',
    link: `https://finance.example.com/news/${encodeURIComponent(query)}-${String(index)}`,
    providerPublishTime: epochSeconds(now.subtract({ minutes: 25 + index * 90 })),
    type: 'STORY',
    relatedTickers: [query],
  }));

type Ask = (endpoint: YahooEndpoint, symbols: readonly string[], url: URL) => Answer;

export const createBook = (
  now: () => Temporal.Instant,
): { readonly book: FakeBook; readonly answer: Ask } => {
  const listings = new Map(LISTINGS.map((listing) => [listing.symbol, listing]));
  const quotes = new Map<string, WireFields>();
  const charts = new Map<string, WireFields>();
  const events = new Map<string, FakeEvents>();
  const summaries = new Map<string, WireFields>();
  const news = new Map<string, readonly unknown[]>();

  const fieldsOf = (listing: FakeListing): WireFields => ({
    ...quoteWire(listing, now()),
    ...quotes.get(listing.symbol),
  });

  const answerQuote = (symbols: readonly string[], url: URL): Answer => {
    if (symbols.length > MAX_SYMBOLS) return refusal(400, 'finance', 'Bad Request', 'Too many symbols');
    const result = symbols.flatMap((symbol) => {
      const listing = listings.get(symbol);
      if (!listing) return [];
      const fields = fieldsOf(listing);
      // The dollar before a pair is left out at times.
      const named = { ...fields, symbol: symbol.replace(/^USD(?=[A-Z]{3}=X$)/u, '') };
      return [onlyFields(named, url.searchParams.get('fields'))];
    });
    return { status: 200, body: { quoteResponse: { result, error: null } } };
  };

  const answerChart = (symbol: string, url: URL): Answer => {
    const listing = listings.get(symbol);
    if (!listing) return refusal(404, 'chart', 'Not Found', 'No data found, symbol may be delisted');
    const at = (name: string): Temporal.Instant | null => {
      const seconds = url.searchParams.get(name);
      return seconds !== null && /^-?\d+$/u.test(seconds)
        ? Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1000)
        : null;
    };
    const [from, to] = [at('period1'), at('period2')];
    const interval = url.searchParams.get('interval') ?? '1d';
    if (!from || !to || !isInterval(interval) || Temporal.Instant.compare(from, to) >= 0)
      return refusal(400, 'chart', 'Bad Request', 'Invalid input - period1, period2 or interval');
    const { firstDay } = listing;
    if (firstDay !== undefined && to.toZonedDateTimeISO('UTC').toPlainDate().toString() < firstDay)
      return refusal(
        400,
        'chart',
        'Bad Request',
        `Data doesn't exist for startDate = ${String(epochSeconds(from))}, endDate = ${String(epochSeconds(to))}`,
      );
    const wanted = new Set((url.searchParams.get('events') ?? '').split(/[,|]/u));
    const state = { now: now(), quote: fieldsOf(listing), events: events.get(symbol) ?? {} };
    const result = [charts.get(symbol) ?? chartWire(listing, { from, to, interval, wanted }, state)];
    return { status: 200, body: { chart: { result, error: null } } };
  };

  const answerSearch = (url: URL): Answer => {
    const query = url.searchParams.get('q') ?? '';
    const count = Number(url.searchParams.get('newsCount') ?? '8');
    const found = (news.get(query) ?? news.get('') ?? usualNews(query, now())).slice(0, count);
    return {
      status: 200,
      body: { explains: [], count: found.length, quotes: [], news: found, nav: [], lists: [] },
    };
  };

  const answerSummary = (symbol: string, url: URL): Answer => {
    const listing = listings.get(symbol);
    if (!listing) return refusal(404, 'quoteSummary', 'Not Found', `Quote not found for symbol: ${symbol}`);
    const wanted = (url.searchParams.get('modules') ?? '').split(',');
    const modules = { ...summaryWire(listing, now()), ...summaries.get(symbol) };
    const result = [Object.fromEntries(Object.entries(modules).filter(([name]) => wanted.includes(name)))];
    return { status: 200, body: { quoteSummary: { result, error: null } } };
  };

  const book: FakeBook = {
    setQuote: (symbol, fields) => {
      const listing = listings.get(symbol) ?? listings.get('AAPL');
      const { regularMarketPrice: price, regularMarketPreviousClose: previousClose } = fields;
      if (listing)
        listings.set(symbol, {
          ...listing,
          symbol,
          ...(typeof price === 'number' && { price }),
          ...(typeof previousClose === 'number' && { previousClose }),
        });
      quotes.set(symbol, { ...quotes.get(symbol), ...fields });
    },
    setEvents: (symbol, found) => void events.set(symbol, found),
    split: (symbol, split) => {
      const known = events.get(symbol) ?? {};
      events.set(symbol, { ...known, splits: [...(known.splits ?? []), split] });
      const scaled = (value: number): number => (value * split.denominator) / split.numerator;
      const listing = listings.get(symbol);
      if (!listing) return;
      const { price, previousClose } = listing;
      listings.set(symbol, { ...listing, price: scaled(price), previousClose: scaled(previousClose) });
      const laid = Object.entries(quotes.get(symbol) ?? {}).map(([name, value]) => [
        name,
        typeof value === 'number' && PRICES.test(name) ? scaled(value) : value,
      ]);
      quotes.set(symbol, Object.fromEntries(laid) as WireFields);
    },
    list: (symbol, { market, ...facts }) => {
      const listing = listings.get(symbol) ?? listings.get('AAPL');
      if (!listing) return;
      listings.set(symbol, { ...listing, symbol, ...(market && { market: MARKETS[market] }), ...facts });
    },
    remove: (symbol) => void listings.delete(symbol),
    setChart: (symbol, chart) => void charts.set(symbol, chart),
    setSummary: (symbol, modules) => void summaries.set(symbol, modules),
    setNews: (items, query = '') => void news.set(query, items),
  };

  return {
    book,
    answer: (endpoint, symbols, url) => {
      if (endpoint === 'quote') return answerQuote(symbols, url);
      if (endpoint === 'search') return answerSearch(url);
      const [symbol = ''] = symbols;
      return endpoint === 'chart' ? answerChart(symbol, url) : answerSummary(symbol, url);
    },
  };
};
