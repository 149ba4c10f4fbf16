import type { NewsItem } from '#src/core/finance.ts';
import { newsWire } from './wire.ts';

const mapNews = (raw: unknown): NewsItem | null => {
  const { data } = newsWire.safeParse(raw);
  return data
    ? {
        title: data.title.replaceAll(/\s+/gu, ' '),
        url: data.link,
        publisher: data.publisher,
        publishedAt: data.providerPublishTime,
        symbols: data.relatedTickers,
      }
    : null;
};

/** The same story comes from several sites under the same words. */
const titleKey = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** The newest first, each story once; what cannot be read or linked to is left out. */
export const mapNewsList = (raw: readonly unknown[], limit: number): readonly NewsItem[] => {
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
