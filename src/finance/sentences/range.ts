import { readRange } from '#src/language/history-range.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';

const COUNTS: Readonly<Record<string, string>> = { one: '1', two: '2', three: '3', five: '5', six: '6' };

/** How people say how far to look back. Not 10주 (ten shares), not 10년물 (a bond), not 11월 5일 (a day). */
const RANGE = new RegExp(
  [
    String.raw`(?:(?:최근|지난)\s{0,3})?(?<![\p{L}\p{N}.]|월\s?)(?<ko>\d{1,2}\s?(?:일|주일|개월|달|년)|\d{1,2}\s?주(?=\s?(?:간|동안))|하루|일주일|한\s?달|석\s?달|세\s?달|반\s?년|올해|금년|전체\s?기간)(?:\s?(?:동안|간|치|짜리|사이))?(?:에|의|은|는)?(?!\p{L})`,
    String.raw`(?:\b(?:over|in|for|of|during)\s+)?(?:\b(?:the\s+)?(?:past|last)\s+)?\b(?<en>(?:\d{1,2}|one|two|three|five|six)[\s-]?(?:days?|weeks?|wk|months?|mo|years?|yrs?|[dwmy])|ytd|year[\s-]to[\s-]date|this\s+year|all[\s-]time)\b`,
    String.raw`\b(?:over|in|for|during)\s+the\s+(?:past|last)\s+(?<past>week|month|quarter|year)\b|\bpast\s+(?<only>week|month|quarter|year)\b`,
  ].join('|'),
  'iu',
);

export interface Ranged {
  /** What is left of the text without it. */
  readonly text: string;
  readonly range: HistoryRange | undefined;
}

/** Takes the span of time out of a question. One that no tool knows (`4 months`) stays in it. */
export const takeRange = (text: string): Ranged => {
  const match = RANGE.exec(text);
  const groups: Readonly<Record<string, string | undefined>> = match?.groups ?? {};
  const written = groups['ko'] ?? groups['en'] ?? groups['past'] ?? groups['only'];
  const counted = written?.replace(/^[a-z]+(?=[\s-])/iu, (word) => COUNTS[word.toLowerCase()] ?? word);
  // `5-year` is `5 years`.
  const range = counted === undefined ? undefined : (readRange(counted) ?? readRange(`${counted}s`));
  return { text: range && match ? text.replace(match[0], '\n') : text, range };
};
