import type { QueryDeps } from '#src/features/feature.ts';
import type { NewsItem } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { type Audience, emptyAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { distinctNews, NEWS_FETCHED } from '#src/markets/answers/distinct-news.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { missedAnswer, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { namesOf, withNames } from '#src/markets/answers/fact-names.ts';
import { inMarkdown } from '#src/markets/answers/untrusted-text.ts';

interface NewsRequest {
  /** Absent: the market as a whole. */
  readonly query?: string;
  readonly limit: number;
}

export interface NewsQueries {
  readonly news: MarketQuery<NewsRequest>;
}

const MAX_SHOWN = 10;
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 hours ago`. A time slightly in the future counts as now. */
const ago = (at: Temporal.Instant, now: Temporal.Instant, locale: Locale): string => {
  const seconds = now.since(at).total('seconds');
  const [unit, length] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? [];
  if (unit === undefined) return marketTexts(locale).news.justNow();
  return new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(
    -Math.floor(seconds / length),
    unit,
  );
};

/** Headlines are untrusted text, so they are escaped, and the link shows its whole address. */
const describe = (item: NewsItem, place: number, { locale }: Audience, now: Temporal.Instant): string => {
  const time = ago(item.publishedAt, now, locale);
  const origin = [...(item.publisher === '' ? [] : [inMarkdown(item.publisher)]), time].join(' · ');
  const link = item.url === '' ? [] : [`   <${item.url}>`];
  return [`${place}. **${inMarkdown(item.title)}**`, `   ${origin}`, ...link].join('\n');
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

/** Headlines about one name or about the whole market, the newest first. Throws only on abort. */
export const newsAnswer =
  ({ market, symbols, clock }: QueryDeps<'getNews', 'clock'>): NewsQueries['news'] =>
  async ({ query, limit }, audience, signal) => {
    const { locale } = audience;
    const t = marketTexts(locale).news;
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
    if (result.status === 'unavailable' && result.reason === 'down') return emptyAnswer(t.down());
    if (result.status === 'unavailable' && result.reason === 'not-in-sample') return emptyAnswer(t.sample());
    const items = result.status === 'ok' ? distinctNews(result.value) : [];
    const shown = items.slice(0, Math.min(Math.max(1, limit), MAX_SHOWN));
    const name = instrument && shortLabel(instrument, locale);
    if (shown.length === 0) return emptyAnswer(name === undefined ? t.none() : t.noneOf({ name }));

    const now = clock.now();
    return {
      content: [
        name === undefined ? t.title() : t.titleOf({ name }),
        shown.map((item, index) => describe(item, index + 1, audience, now)).join('\n'),
        ...(shown.some(({ isSample }) => isSample) ? [t.sampleFooter()] : []),
      ].join('\n\n'),
      facts: withNames(
        instrument ? namesOf(instrument) : [],
        shown.map((item) => factOf(item, instrument?.symbol ?? 'market')),
      ),
      found: shown.length,
      isUntrusted: true,
      links: shown.flatMap(({ url }) => (url === '' ? [] : [url])),
    };
  };
