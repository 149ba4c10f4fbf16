import { resolveTimeZone } from '#src/language/time-zone.ts';
import { stemsOf } from '#src/language/particles.ts';
import { type Call, call } from './call.ts';

const ASKS_TIME =
  /몇\s?시(?!간)|(?:현재|지금)\s?시[간각]|(?:오늘|지금)\s?(?:은|이)?\s?(?:며칠|몇\s?월|무슨\s?요일)|날짜\s?(?:알려|뭐|가)|\bwhat(?:'s| is) (?:the )?(?:time|date)\b|\bwhat time is it\b|\bwhat day is (?:it|today)\b|\bcurrent time\b|\btoday'?s date\b/iu;
/** What is asked about that is no clock. */
const OTHER = /열|닫|끝나|마감|개장|시작|장(?!소)|브리핑|알림|\b(?:open|close|market|briefing|earnings)/iu;
const WORDS =
  /(?:몇\s?시|며칠|몇\s?월|무슨\s?요일|시간|시각|날짜|지금|현재|오늘)\p{L}{0,6}|알려\s?\p{L}{0,9}|\b(?:what(?:'s)?|is|the|time|date|day|it|now|right|in|at|today'?s?|current|please|tell|me)\b|[?!.,~]/giu;

const zoneIn = (rest: string): string | undefined =>
  stemsOf(rest.trim().replaceAll(/\s+/gu, ' ')).find((place) => resolveTimeZone(place) !== undefined);

/** `지금 몇 시야?`, `what time is it in new york`. Null for other questions, and for places that nobody knows. */
export const readTime = (text: string): Call | null => {
  if (!ASKS_TIME.test(text) || OTHER.test(text)) return null;
  const rest = text.replaceAll(WORDS, ' ').trim();
  const timeZone = rest === '' ? undefined : zoneIn(rest);
  return rest === '' || timeZone !== undefined ? call('get_datetime', { timeZone }) : null;
};
