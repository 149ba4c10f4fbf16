import type { Instrument, NewsItem } from '#src/kernel/finance.ts';
import { briefingMessages } from './messages.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { writeMoment } from '#src/kernel/moment.ts';
import { distinctNews, NEWS_FETCHED } from '#src/markets/answers/distinct-news.ts';
import { inMarkdown } from '#src/markets/answers/untrusted-text.ts';
import type { Market } from '#src/markets/sources/source.ts';

export interface BriefingNews {
  /** The newest first, each once. */
  readonly items: readonly NewsItem[];
  /** Why there is none, or less than was asked for. */
  readonly status: 'ok' | 'down';
}

/** More names make one briefing ask too often. */
const MAX_ASKED = 3;
/** With fewer the market as a whole is heard too. */
const ENOUGH = 3;

/** Headlines of what was named, and of the market where that is little. Throws on abort alone. */
export const readNews = async (
  market: Pick<Market, 'getNews'>,
  instruments: readonly Instrument[],
  signal: AbortSignal,
): Promise<BriefingNews> => {
  const ask = (instrument?: Instrument) =>
    market.getNews({ ...(instrument && { instrument }), limit: NEWS_FETCHED }, signal);
  const named = await Promise.all(instruments.slice(0, MAX_ASKED).map(ask));
  const ofNamed = distinctNews(named.flatMap((result) => (result.status === 'ok' ? result.value : [])));
  if (ofNamed.length >= ENOUGH) return { items: ofNamed, status: 'ok' };
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

/** Words of strangers: escaped, with their publisher and time, and the whole address. */
export const newsText = (
  { items, status }: BriefingNews,
  limit: number,
  { locale, timeZone }: Audience,
): string => {
  const t = briefingMessages(locale);
  if (items.length === 0) return status === 'down' ? t.newsFailed() : t.newsNone();
  const lines = items.slice(0, limit).map(({ title, publisher, publishedAt, url }) => {
    const origin = [...(publisher === '' ? [] : [inMarkdown(publisher)]), writeMoment(publishedAt, timeZone)];
    return `- ${inMarkdown(title)} (${origin.join(' · ')})${url === '' ? '' : `\n  <${url}>`}`;
  });
  return [t.news(), ...lines].join('\n');
};

export const newsFacts = (items: readonly NewsItem[]): readonly Fact[] =>
  items.map(({ title, publisher, publishedAt, symbols, isSample }) => ({
    entity: symbols[0] ?? 'market',
    metric: 'headline',
    value: title,
    unit: 'text',
    asOf: publishedAt.toString(),
    source: publisher || 'news',
    isSample: isSample === true,
  }));
