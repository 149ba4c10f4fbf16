import type { NewsItem } from '#src/core/finance.ts';
import type { NewsQuery } from '../source.ts';
import { mapNewsList } from './map-news.ts';
import { readAs } from './read-wire.ts';
import { newsListWire } from './wire.ts';
import type { YahooClient } from './yahoo-client.ts';

/** Asked for above the limit, as some of them are the same story. */
const SPARE_NEWS = 5;
/** The market as a whole: what is written about its best-known measures. */
const MARKET_QUERIES = ['^GSPC', '^KS11'];

/** Headlines alone, and by the very words. */
const SEARCH = {
  lang: 'en-US',
  region: 'US',
  quotesCount: '0',
  enableFuzzyQuery: 'false',
  newsQueryId: 'news_cie_vespa',
};

/** Headlines by the symbol, or by the English name where that finds none. */
export const createNewsSearch = (client: YahooClient) => {
  const search = async (
    query: string,
    newsCount: number,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> => {
    const asked = { ...SEARCH, q: query, newsCount: String(newsCount) };
    const json = await client.ask({ path: '/v1/finance/search', query: asked, needsSession: false }, signal);
    return readAs(newsListWire, json, 'list of news').news;
  };

  return async ({ instrument, limit }: NewsQuery, signal: AbortSignal): Promise<readonly NewsItem[]> => {
    const count = limit + SPARE_NEWS;
    if (!instrument) {
      const lists = await Promise.all(MARKET_QUERIES.map((query) => search(query, count, signal)));
      return mapNewsList(lists.flat(), limit);
    }
    const bySymbol = mapNewsList(await search(instrument.symbol, count, signal), limit);
    return bySymbol.length > 0
      ? bySymbol
      : mapNewsList(await search(instrument.name.en, count, signal), limit);
  };
};
