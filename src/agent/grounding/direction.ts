import { characterTest } from '#src/language/characters.ts';
import type { Figure } from './figures.ts';
import type { Range } from './layout.ts';
import type { Place } from './place.ts';
import { LONGEST_CUE, type ReadAnswer, within } from './read-answer.ts';
import type { WordHit } from './vocabulary.ts';
import { OTHER_CLAUSE } from './when.ts';

interface Direction {
  readonly direction: 1 | -1 | undefined;
  /** A direction word follows the number at once: `0.3% 상승`. */
  readonly directionAfter: 1 | -1 | undefined;
  /** The word that says it. */
  readonly directionAt: Range | undefined;
}

/** `(`, `, or about`, `, 약`: the number says again what the one before it says. */
const SAYS_AGAIN = /[)(（]\s?$|(?:,\s|\s)or\s(?:about\s|roughly\s)?$|,\s약?\s?$/u;
/** The number after this one says it again, so the direction may follow that one. */
const SAID_AGAIN = /^\s?[(（]/u;
/** A cheap test of the character before a number. */
const maySayAgain = characterTest(/[()（,\s약]/u);
const SAID_AGAIN_REACH = 30;
/** A particle and a space may stand between the number and its direction. */
const AT_ONCE = 3;

const NO_DIRECTION: Direction = {
  direction: undefined,
  directionAfter: undefined,
  directionAt: undefined,
};

/** `비중은 76.41%로 높고, 달러 자산은 42.65%`: the word closes what is said of the number before. */
const STATE_OF_OTHER = /^[높낮](?:고|지만|으며|으나)[\s,]/u;
/** `삼성전자는 0.29% 오른 반면, SK하이닉스는 1.92%`: so does a word of another clause. */
const isOfOther = (gap: string): boolean => STATE_OF_OTHER.test(gap) || OTHER_CLAUSE.test(gap);

/** `Lower rates lifted Samsung 0.29%`, `유가 하락에 삼성전자는 0.29%`: the word is of what moved the price. */
const CAUSE =
  /^[a-z]{3,12} (?:interest|bond|treasury|oil|energy|crude|rates?|yields?|costs?|prices|demand|inflation|volumes?|expectations|tensions)\b/iu;
const CAUSE_BEFORE = /(?:금리|유가|물가|국채|원자재|비용|수요|거래량|실업률|관세|기대감?|우려)[이가]?\s?$/u;
/** `higher than Apple's 0.19%`: the number is what another is compared with. */
const THAN = /^\p{L}{2,12} than\b/iu;
const LONGEST_CAUSE = 5;
/** `환율 하락으로 애플은`: what moved another price. */
const MARKET_BEFORE = /(?:환율|원화|달러|엔화|지수|증시|시장)[이가]?\s?$/u;
const AS_CAUSE = /^[가-힣]{2,4}?(?:에도?|으로|로|속에|덕분|탓|때문|영향)(?:[\s,]|$)/u;

const isOfCause = (text: string, { start }: Range, gap: string): boolean => {
  if (CAUSE.test(gap) || THAN.test(gap)) return true;
  const before = text.slice(Math.max(0, start - LONGEST_CAUSE), start);
  return CAUSE_BEFORE.test(before) || (MARKET_BEFORE.test(before) && AS_CAUSE.test(gap));
};

/** `수익률이 43.28%로 가장 낮습니다`, `a return of 43.28% is lower than`: a small number is no fall. */
const STATE = /^(?:[높낮]|higher|lower|above|below|under)/iu;
const LEVEL_GAP = /^\)?(?:[로은는이가도]\s|\s(?:is|was|are|were|looks|remains)\s)/u;
const isOfLevel = (text: string, { end, kind }: Figure, { start }: Range): boolean =>
  kind === 'percent' && LEVEL_GAP.test(text.slice(end, end + 10)) && STATE.test(text.slice(start, start + 6));
/** `higher at 90.50%`, `45.03%보다 낮은 43.28%`. */
const STATE_AT = /^(?:higher|lower) at /iu;
const THAN_PERCENT = /%\)?보다\s(?:더\s|훨씬\s|조금\s|약간\s)?$/u;
const LONGEST_THAN = 8;
const isOfComparison = (text: string, { start }: Range, gap: string): boolean =>
  STATE_AT.test(gap) ||
  (STATE.test(gap) && THAN_PERCENT.test(text.slice(Math.max(0, start - LONGEST_THAN), start)));

/** `오늘 내렸어도 수익률은`, `손실 중인 종목은 없고, 수익률은`, `SK하이닉스는 내렸고 애플은`: the next clause speaks of something else. */
const CONCEDED = /[어아해봐]도\s|는데도\s/u;
const DENIED = /(?:없|아니|않았?|뿐이)(?:고|으며|며|지만)[\s,]/u;
const JOINED = /[가-힣](?:고|으며|이며)[\s,]+/u;
const CONTRASTED = /(?:지만|으나)[\s,]+/u;
const isOfClosedClause = ({ text, names, words }: ReadAnswer, { end }: Range, to: number): boolean => {
  const gap = text.slice(end, to);
  if (CONCEDED.test(gap) || DENIED.test(gap)) return true;
  const contrasted = CONTRASTED.exec(gap);
  if (contrasted) {
    const named = within(words, end + contrasted.index, to).flatMap(({ value }) => value.metrics);
    // `하락 전환했으나 이격은`, but not `내렸지만 등락률은`.
    if (named.length > 0 && !named.includes('changePercent')) return true;
  }
  const joined = JOINED.exec(gap);
  return joined !== null && within(names, end + joined.index, to).length > 0;
};

/** `애플의 0.19%보다 높습니다`. */
const COMPARED = /^\)?\s?(?:보다|에 비해)/u;

/**
 * `상승률 1위는 A(0.29%), 하락률 1위는 B(6.64%)`, `by 61.31%, and slipped 0.19%`: a name behind a comma and the word of
 * another clause are of the next number.
 */
const isOfNext = (text: string, { end }: Range, { start, value }: WordHit): boolean => {
  const gap = text.slice(end, start + 1);
  if (COMPARED.test(gap)) return true;
  return (value.metrics.length > 0 && gap.includes(',')) || OTHER_CLAUSE.test(gap);
};

/** Whether the words at a number say "up" or "down". */
export const directionOf = (answer: ReadAnswer, { figure, cell, sentence, from, to }: Place): Direction => {
  const { words, text, names } = answer;
  const opens =
    maySayAgain(text.charCodeAt(figure.start - 1)) &&
    SAYS_AGAIN.test(text.slice(Math.max(0, figure.start - LONGEST_CUE), figure.start)) &&
    // `오른 종목은 삼성전자(0.29%)뿐이고, SK하이닉스(1.92%)는`: the number of another company says nothing again.
    (from === sentence.start || within(names, from, figure.start).length === 0)
      ? sentence.start
      : from;
  const closes = SAID_AGAIN.test(text.slice(figure.end, figure.end + 2))
    ? Math.min(sentence.end, to + SAID_AGAIN_REACH)
    : to;
  const range = cell ?? { start: opens, end: closes };
  let after: WordHit | undefined;
  let before: WordHit | undefined;
  for (const word of within(words, Math.max(range.start, sentence.start), range.end)) {
    if (word.value.direction === undefined) continue;
    if (word.end <= figure.start) {
      const gap = text.slice(word.start, figure.start);
      const isElsewhere =
        (from !== sentence.start && isOfOther(gap)) ||
        isOfCause(text, word, gap) ||
        isOfClosedClause(answer, word, figure.start) ||
        (figure.kind === 'percent' && isOfComparison(text, word, gap));
      if (!isElsewhere) before = word;
    }
    if (word.start >= figure.end && !isOfNext(text, figure, word) && !isOfLevel(text, figure, word))
      after ??= word;
  }
  if (!before && !after) return NO_DIRECTION;
  const isAtOnce =
    after !== undefined &&
    after.start - figure.end <= AT_ONCE &&
    !/[,;(]/u.test(text.slice(figure.end, after.start));
  const directionAfter = isAtOnce ? after?.value.direction : undefined;
  if (directionAfter !== undefined) return { direction: directionAfter, directionAfter, directionAt: after };
  const isBeforeNearer =
    before !== undefined && (after === undefined || figure.start - before.end <= after.start - figure.end);
  const nearest = isBeforeNearer ? before : after;
  return { direction: nearest?.value.direction, directionAfter, directionAt: nearest };
};

const NO_DIRECTIONS: readonly never[] = [];
const LONGEST_LEAD = 32;
/** `하락: SK하이닉스 1.92%, 테슬라 6.64%`. */
const LEAD = /^[^:\d]{0,24}:/u;
/** `fell 1.92%, 0.19% and 6.64%`, `하락했습니다: SK하이닉스 1.92%, 애플 0.19%`: between the numbers of a list. */
const LIST_GAP = /^\s?(?:,\s?(?:and\s)?|and\s|[와과]\s|,\s[^,.;\d]{1,20}\s\(?)$/u;

/** The direction that a list names once for all its numbers: in its heading, before the first, in a cell of the row. */
export const directionAround = (
  { words, text, figures }: ReadAnswer,
  { figure, line, sentence, from }: Place,
): readonly (1 | -1)[] => {
  const inRange = (start: number, end: number): readonly (1 | -1)[] => {
    const named = within(words, start, end).flatMap(({ value }) => value.direction ?? []);
    return named.every((each) => each === named[0]) ? named.slice(0, 1) : NO_DIRECTIONS;
  };
  if (line.row) return inRange(line.start, line.end);
  const lead = LEAD.exec(text.slice(sentence.start, sentence.start + LONGEST_LEAD))?.[0];
  const own = lead === undefined ? NO_DIRECTIONS : inRange(sentence.start, sentence.start + lead.length);
  if (own.length > 0) return own;
  if (from > sentence.start && LIST_GAP.test(text.slice(from, figure.start))) {
    const last = within(words, sentence.start, from).findLast(({ value }) => value.direction !== undefined);
    if (last?.value.direction !== undefined) return [last.value.direction];
  }
  if (!line.parent) return NO_DIRECTIONS;
  const { start, end } = line.parent;
  return within(figures, start, end).length > 0 ? NO_DIRECTIONS : inRange(start, end);
};
