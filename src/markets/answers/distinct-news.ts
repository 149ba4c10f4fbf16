import type { NewsItem } from '#src/kernel/market/finance.ts';
import { untrustedLine, webAddress } from './untrusted-text.ts';

/** Headlines per request, so that requests for fewer share it. */
export const NEWS_FETCHED = 20;

const MAX_TITLE = 200;
const MAX_PUBLISHER = 40;
/** Tracking parameters, which do not identify the article. */
const TRACKING = /^(?:utm_\w+|\.?tsrc|guccounter|guce_\w+|cmpid|fbclid|gclid|soc_\w+)$/i;

/** ` - Reuters` at the end, as news aggregators write it. */
const SUFFIX = /^(?<words>.+?)\s[-–—|]\s(?<publisher>[^-–—|]{2,40})$/u;

/** Ignores case and punctuation. */
const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}%+]+/gu, ' ')
    .trim();

const placeOf = (address: string): string => {
  const url = new URL(address);
  for (const name of url.searchParams.keys().toArray()) {
    if (TRACKING.test(name)) url.searchParams.delete(name);
  }
  url.searchParams.sort();
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${url.search}`;
};

/** Removes a publisher suffix that is among `publishers`. */
const withoutPublisher = (title: string, publishers: ReadonlySet<string>): string => {
  const { words, publisher } = SUFFIX.exec(title)?.groups ?? {};
  return words !== undefined && publisher !== undefined && publishers.has(keyOf(publisher)) ? words : title;
};

const cleaned = (item: NewsItem): NewsItem => ({
  ...item,
  title: untrustedLine(item.title, MAX_TITLE),
  publisher: untrustedLine(item.publisher, MAX_PUBLISHER),
  url: webAddress(item.url) ?? '',
});

/**
 * Removes duplicate stories, newest first, and puts texts on one line of bounded length. `url` is empty if it is not a
 * web address.
 */
export const distinctNews = (items: readonly NewsItem[]): readonly NewsItem[] => {
  const all = items
    .map(cleaned)
    .filter(({ title }) => keyOf(title) !== '')
    .toSorted((a, b) => Temporal.Instant.compare(b.publishedAt, a.publishedAt));
  const publishers = new Set(all.map(({ publisher }) => keyOf(publisher)));
  const titles = new Set(all.map(({ title }) => keyOf(title)));
  const seen = new Set<string>();
  return all.flatMap((item) => {
    const title = withoutPublisher(item.title, publishers);
    const words = SUFFIX.exec(title)?.groups?.['words'];
    // An unknown publisher is removed only if the rest equals another headline.
    const key = words !== undefined && titles.has(keyOf(words)) ? keyOf(words) : keyOf(title);
    const marks = [`title ${key}`, ...(item.url === '' ? [] : [`link ${placeOf(item.url)}`])];
    if (marks.some((mark) => seen.has(mark))) return [];
    for (const mark of marks) seen.add(mark);
    return [{ ...item, title }];
  });
};
