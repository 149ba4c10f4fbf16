/** Separates two requests for certain. */
const STRONG =
  /(?<=[?？!.…]) |\n|;|(?<=얼마(?:이|인)?고),? |(?<=(?:알려|보여|말해|해|그려|찾아) ?주)고 |(?<=[는은인]데)(?:…|\.{2,3}|,)? | (?:그리고|그런데|근데|and also|and then) /u;
/** The first of two trades: 10주 샀고 …. */
const DONE_AND = /(샀|팔았|[수도]했)고 /gu;
/** The same with the tense at the end of the second one: 200달러에 사고 …. */
const DO_AND = /(?<=[에주개원불러] )(?:(사|매수하)|(팔|매도하))고 /gu;
/** Joins two requests, or two names of a list. */
const WEAK = /(?:이랑|랑|하고|와|과|,|\band)\s/giu;

const MAX_CLAUSES = 4;

const LEAD = /^(?:그리고|그런데|근데|그럼|그러면|또|and(?: also| then)?|also|then|plus),?\s+/iu;

/** Removes a conjunction at the beginning. */
export const withoutLead = (clause: string): string => clause.replace(LEAD, '');

/** The independent parts of a message, at most four. */
export const clausesOf = (text: string): readonly string[] =>
  text
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(DONE_AND, '$1어\n')
    .replaceAll(DO_AND, (_and, bought: string | undefined) => (bought ? '샀어\n' : '팔았어\n'))
    .split(STRONG)
    .map((clause) => clause.replace(/[.!…]$/u, '').trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause))
    .slice(0, MAX_CLAUSES);

/** Every split of a text at a conjunction: 삼성전자 주가랑 | 환율 알려줘. */
export const halvesOf = (text: string): readonly (readonly [left: string, right: string])[] =>
  Array.from(text.matchAll(WEAK).take(MAX_CLAUSES), ({ index, 0: joint }) => [
    text.slice(0, index).trim(),
    text.slice(index + joint.length).trim(),
  ]);
