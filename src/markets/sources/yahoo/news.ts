import type { NewsItem } from '#src/kernel/market/finance.ts';
import type { NewsQuery } from '../source.ts';
import type { YahooClient } from './client.ts';
import { newsListWire, newsWire, readAs } from './wire.ts';

const mapNews = (raw: unknown): NewsItem | null => {
  const { data } = newsWire.safeParse(raw);
  return data
    ? {
        title: data.title,
        url: data.link,
        publisher: data.publisher,
        publishedAt: data.providerPublishTime,
        symbols: data.relatedTickers,
      }
    : null;
};

/** Several sites publish the same story under the same title. */
const titleKey = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Newest first, without duplicates. Items that are invalid or have no link are skipped. */
const mapNewsList = (raw: readonly unknown[], limit: number): readonly NewsItem[] => {
  const links = new Set<string>();
  const titles = new Set<string>();
  return raw
    .flatMap((each) => mapNews(each) ?? [])
    .toSorted((a, b) => Temporal.Instant.compare(b.publishedAt, a.publishedAt))
    .filter(({ url, title }) => {
      const key = titleKey(title);
      if (links.has(url) || titles.has(key)) return false;
      links.add(url);
      titles.add(key);
      return true;
    })
    .slice(0, limit);
};

/** Extra items to make up for duplicates. */
const SPARE_NEWS = 5;
/** Stand for the market as a whole. */
const MARKET_QUERIES = ['^GSPC', '^KS11'];

/** News only, without fuzzy matching. */
const SEARCH = {
  lang: 'en-US',
  region: 'US',
  quotesCount: '0',
  enableFuzzyQuery: 'false',
  newsQueryId: 'news_cie_vespa',
};

/** News by symbol, or by English name if the symbol has none. */
export const createNewsSearch = (client: YahooClient) => {
  const search = async (
    query: string,
    newsCount: number,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> => {
    const asked = { ...SEARCH, q: query, newsCount: String(newsCount) };
    const json = await client.fetchJson(
      { path: '/v1/finance/search', query: asked, needsSession: false },
      signal,
    );
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
