import { type Locale, texts } from '#src/core/i18n.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';

/** As people write them, in both languages, without blanks and in lower case. A week has five trading days. */
const SPELLINGS: Readonly<Record<HistoryRange, readonly string[]>> = {
  '1d': ['1d', '1day', 'day', 'today', '24h', '하루', '1일', '당일', '오늘'],
  '5d': ['5d', '5days', '1w', '1wk', '1week', 'week', '7d', '일주일', '1주', '1주일', '한주', '5일', '7일'],
  '1mo': ['1m', '1mo', '1mon', '1month', 'month', '30d', '4w', '한달', '1달', '1개월', '일개월'],
  '3mo': ['3m', '3mo', '3mon', '3months', 'quarter', '90d', '세달', '석달', '3달', '3개월', '삼개월', '분기'],
  '6mo': ['6m', '6mo', '6mon', '6months', 'halfyear', '180d', '여섯달', '6달', '6개월', '육개월', '반년'],
  ytd: ['ytd', 'yeartodate', 'thisyear', '올해', '금년', '연초', '연초이후', '연초대비'],
  '1y': ['1y', '1yr', '1year', 'year', '12m', '12mo', '52w', '365d', '1년', '일년', '한해', '12개월', '52주'],
  '2y': ['2y', '2yr', '2years', '24m', '24mo', '2년', '이년', '24개월'],
  '5y': ['5y', '5yr', '5years', '60m', '60mo', '5년', '오년', '60개월'],
  max: ['max', 'all', 'alltime', 'maximum', '전체', '최대', '전기간', '전체기간', '상장이후'],
};

const BY_SPELLING: ReadonlyMap<string, HistoryRange> = new Map(
  (Object.entries(SPELLINGS) as readonly (readonly [HistoryRange, readonly string[]])[]).flatMap(
    ([range, spellings]) => spellings.map((spelling) => [spelling, range] as const),
  ),
);

/** Long before any of them ends. */
const MAX_LENGTH = 20;

/** What a word (`1y`, `3m`, `6개월`, `1년간`) says about how far to look back; undefined where it is no range. */
export const readRange = (word: string): HistoryRange | undefined => {
  if (word.length > MAX_LENGTH) return undefined;
  const spelling = word.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/gu, '');
  return BY_SPELLING.get(spelling) ?? BY_SPELLING.get(spelling.replace(/(?:간|동안)$/u, ''));
};

/** `1 year`, `1년`: what a range is called in a sentence or a title. */
export const rangeLabel = (range: HistoryRange, locale: Locale): string =>
  texts(locale).analysis.ranges[range];
