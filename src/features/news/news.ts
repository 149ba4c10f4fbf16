import type { NewsItem, SymbolSearch } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { marketMessages } from '#src/markets/answers/market-messages.ts';
import type { Audience, MarketAnswer, MarketQuery } from '#src/kernel/market-queries.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { writeMoment } from '#src/kernel/moment.ts';
import type { Market } from '#src/markets/sources/source.ts';
import type { Clock } from '#src/platform/clock.ts';
import { distinctNews, NEWS_FETCHED } from '#src/markets/answers/distinct-news.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { missedAnswer, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { inMarkdown } from '#src/markets/answers/untrusted-text.ts';

interface NewsRequest {
  /** Absent: the market as a whole. */
  readonly query?: string;
  readonly limit: number;
}

export interface NewsQueries {
  readonly news: MarketQuery<NewsRequest>;
}

interface NewsDeps {
  readonly market: Pick<Market, 'getNews'>;
  readonly symbols: Pick<SymbolSearch, 'resolve' | 'findListing'>;
  readonly clock: Clock;
}

const MAX_SHOWN = 10;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `3 hours ago`; what is dated a little ahead of us is new. */
const ago = (at: Temporal.Instant, now: Temporal.Instant, locale: Locale): string => {
  const seconds = now.since(at).total('seconds');
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  if (seconds < MINUTE_S) return marketMessages(locale).news.justNow();
  if (seconds < HOUR_S) return format.format(-Math.floor(seconds / MINUTE_S), 'minute');
  if (seconds < DAY_S) return format.format(-Math.floor(seconds / HOUR_S), 'hour');
  return format.format(-Math.floor(seconds / DAY_S), 'day');
};

/** Headlines are words of strangers: escaped, and the link shows where it leads. */
const describe = (
  item: NewsItem,
  place: number,
  { locale, timeZone }: Audience,
  now: Temporal.Instant,
): string => {
  const time = `${ago(item.publishedAt, now, locale)} (${writeMoment(item.publishedAt, timeZone)})`;
  const origin = [...(item.publisher === '' ? [] : [inMarkdown(item.publisher)]), time].join(' · ');
  const link = item.url === '' ? marketMessages(locale).news.noLink() : `<${item.url}>`;
  return [`${place}. **${inMarkdown(item.title)}**`, `   ${origin}`, `   ${link}`].join('\n');
};

const factOf = (item: NewsItem, entity: string): Fact => ({
  entity,
  metric: 'headline',
  value: item.title,
  unit: 'text',
  asOf: item.publishedAt.toString(),
  source: item.publisher || (URL.parse(item.url)?.host ?? 'news'),
  isSample: item.isSample === true,
});

const nothing = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });

/** Headlines of one name, or of the market as a whole, the newest first. Throws on abort alone. */
export const newsAnswer =
  ({ market, symbols, clock }: NewsDeps): NewsQueries['news'] =>
  async ({ query, limit }, audience, signal) => {
    const { locale } = audience;
    const t = marketMessages(locale).news;
    const resolved = await resolveNames(
      query === undefined ? [] : [query],
      symbols,
      locale,
      (symbol) => `/news ${symbol}`,
      signal,
    );
    const [instrument] = resolved.instruments;
    if (query !== undefined && !instrument) return missedAnswer(resolved);

    const result = await market.getNews({ ...(instrument && { instrument }), limit: NEWS_FETCHED }, signal);
    if (result.status === 'unavailable' && result.reason === 'down') return nothing(t.down());
    if (result.status === 'unavailable' && result.reason === 'not-in-sample') return nothing(t.sample());
    const items = result.status === 'ok' ? distinctNews(result.value) : [];
    const shown = items.slice(0, Math.min(Math.max(1, limit), MAX_SHOWN));
    const name = instrument && instrumentLabel(instrument, locale);
    if (shown.length === 0) return nothing(name === undefined ? t.none() : t.noneOf({ name }));

    const now = clock.now();
    return {
      content: [
        name === undefined ? t.title() : t.titleOf({ name }),
        shown.map((item, index) => describe(item, index + 1, audience, now)).join('\n'),
        shown.some(({ isSample }) => isSample) ? t.sampleFooter() : t.footer(),
      ].join('\n\n'),
      facts: shown.map((item) => factOf(item, instrument?.symbol ?? 'market')),
      found: shown.length,
      isUntrusted: true,
      links: shown.flatMap(({ url }) => (url === '' ? [] : [url])),
    };
  };
