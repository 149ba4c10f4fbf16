import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import { datesIn, SOME_DAY } from '#src/reading/dates.ts';
import { withoutReadings } from '#src/reading/reading.ts';
import { timesIn } from '#src/reading/times.ts';

/** Endings of completed actions; 샀으면, 살까 and 사 줘 are no trades. */
const DONE = '(?:어요?|습니다|음|다|네요?|슴다|지|는데|구요?|고요?)';
const HA = `(?:했${DONE}|함|(?=\\s{0,3}(?:[.!,]|$))|(?:\\s?(?:을|를|한\\s?거|내역))?\\s?(?=(?:을|를)?\\s?(?:기록|적어|입력|저장|등록|추가)))`;
const ko = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'u');

/** The kind of entry that a verb tells. `hold` is recorded as an opening position at its average price. */
export type Told = TransactionKind | 'hold';

interface Verb {
  readonly kind: Told;
  readonly pattern: RegExp;
  /** Another word that the sentence must have for this meaning. */
  readonly beside?: RegExp;
}

const ACCOUNT = /계좌|통장/u;
const AVERAGE_KO = '(?:평단가?|평균\\s?단가)(?:[은는이가])?';
const RECEIVED_KO = `(?:받았|들어왔|입금\\s?(?:됐|되었|받았))${DONE}|받음`;
const NEW_SHARES_KO = '(?:유상|무상)\\s?증자';
const VERBS_KO: readonly Verb[] = [
  {
    kind: 'rights',
    pattern: ko(`(?:(?:배정\\s?)?받았|들어왔|입고\\s?(?:됐|되었)|청약했|샀|매수했)${DONE}|(?:배정\\s?)?받음`),
    beside: new RegExp(NEW_SHARES_KO, 'u'),
  },
  { kind: 'cash-in-lieu', pattern: ko(RECEIVED_KO), beside: /(?<!\p{L})단수?주/u },
  { kind: 'dividend', pattern: ko(RECEIVED_KO), beside: /배당/u },
  {
    kind: 'interest',
    pattern: ko(RECEIVED_KO),
    beside: /(?<!\p{L})(?:예탁금\s?)?이자(?![가-힣]{3})/u,
  },
  {
    kind: 'tax',
    pattern: ko(`(?:냈|뗐|떼였|빠졌|나갔|납부했|됐|되었)${DONE}|냄`),
    beside: /원천\s?징수|배당\s?(?:소득)?세/u,
  },
  { kind: 'deposit', pattern: ko(`입금${HA}`) },
  { kind: 'deposit', pattern: ko(`(?:넣었|이체했)${DONE}`), beside: ACCOUNT },
  { kind: 'withdrawal', pattern: ko(`(?:출금|인출)${HA}`) },
  { kind: 'withdrawal', pattern: ko(`뺐${DONE}`), beside: ACCOUNT },
  { kind: 'fx', pattern: ko(`환전${HA}|바꿨${DONE}`) },
  {
    kind: 'buy',
    pattern: ko(
      `(?:샀|사들였|담았|주웠|물\\s?탔)${DONE}|삼(?=[.!]?$)|(?:(?:추가|풀|분할|신규)\\s?)?(?:매수|매입|구매|구입|추매|줍줍|물타기|올인)\\s?${HA}`,
    ),
  },
  { kind: 'sell', pattern: ko(`팔았${DONE}|팖(?=[.!]?$)|(?:매도|처분|익절|손절|매각)${HA}`) },
  {
    kind: 'hold',
    pattern: ko(
      `보유\\s?(?:중(?:이야|입니다|이에요|임)?|하고\\s?있\\p{L}{1,4})|(?:가지고|갖고|들고)\\s?있\\p{L}{1,4}|있(?:어요?|습니다|음)`,
    ),
    beside: /\d[^\n]{0,3}[주개]|[주개] /u,
  },
  // Without a verb it is a holding: `테슬라 10주 평단 350불`.
  { kind: 'hold', pattern: ko(AVERAGE_KO), beside: /\d[^\n]{0,3}[주개]|[주개] /u },
];
const SUBJECT = "(?:(?:i|we)(?:'ve| have)?(?: just| recently| already| also)? )";
/** A day or time before the verb has been replaced by a line break. */
const START = '(?:^|[.!,:;\\n]\\s{0,3}|\\b(?:record(?: that)?|log(?: that)?|note that)\\s{1,2})';
const en = (pattern: string): RegExp => new RegExp(`${START}(?<verb>${pattern})(?![\\p{L}\\p{N}])`, 'iu');
const DIVIDEND = /\bdividends?\b/iu;
const VERBS_EN: readonly Verb[] = [
  {
    kind: 'rights',
    pattern: en(`${SUBJECT}?(?:received|got|was allotted|bought|subscribed(?: (?:to|for))?)`),
    beside: /\b(?:rights (?:issue|offering)|bonus (?:issue|shares?))\b/iu,
  },
  {
    kind: 'cash-in-lieu',
    pattern: en(`${SUBJECT}?(?:received|got|was paid)`),
    beside: /\bcash in lieu\b/iu,
  },
  {
    kind: 'tax',
    pattern: en(`(?:${SUBJECT}?paid )?(?:dividend )?withholding tax(?: of)?`),
    beside: /\d/u,
  },
  { kind: 'dividend', pattern: en(`${SUBJECT}?(?:received|got|was paid)`), beside: DIVIDEND },
  {
    kind: 'interest',
    pattern: en(`${SUBJECT}?(?:received|got|was paid|earned)`),
    beside: /\binterest\b(?! rate)/iu,
  },
  { kind: 'deposit', pattern: en(`${SUBJECT}?(?:deposited|transferred in|paid in)`) },
  { kind: 'withdrawal', pattern: en(`${SUBJECT}?(?:withdrew|took out)`) },
  { kind: 'fx', pattern: en(`${SUBJECT}?(?:exchanged|converted)`) },
  { kind: 'buy', pattern: en(`${SUBJECT}?(?:bought|purchased|picked up)`) },
  { kind: 'buy', pattern: en(`${SUBJECT}?got`), beside: /\b(?:shares?|coins?|at|@)\b/iu },
  { kind: 'sell', pattern: en(`${SUBJECT}?(?:sold|got rid of)`) },
  { kind: 'hold', pattern: en("(?:i|we)(?:'ve got| have| own| hold)") },
];
/** `AAPL 10 at 180, bought`. */
const VERB_AT_END = /\s(?<verb>bought|sold)[.!]?$/iu;

/** Words without meaning for the entry. */
export const AROUND =
  /(?:을|를)?\s?(?:기록|적어|입력|저장|등록|추가)\s?(?:해|놔|둬|좀|으로)?\s?(?:줘|주세요|줄래|달라|부탁)\p{L}{0,20}|(?:내|제|나의)\s?포트폴리오에?|(?<!\p{L})(?:나는|난|나|저는|(?<![일주달년월간흘틀루]\s?)전|제가|내가|방금|막|아까|이미|총알로|추가로|시장가로|지정가로|배당금?(?:을|이|으로)?|(?:예탁금\s?)?이자(?:를|가|로)?|(?:내|떼|빼|제하|떼이|지불하)고|(?:냈|뗐|빠졌|떼였|나갔|들었|지불했)(?:어요?|습니다|음|고|는데|지|네요?)|계좌에서?|통장에서?|증권|(?:유상|무상)\s?증자(?:에서|[로에를])?(?:\s?신주를?)?|단수?주(?:\s?(?:매각\s?)?대금)?(?:으로|[로이을])?|원천\s?징수(?:세금?)?[를을로이가]?|배당\s?(?:소득)?세[를로가]?)(?!\p{L})|\b(?:please|record(?: (?:it|that|this))?|log(?: (?:it|that|this))?|note that|in(?:to)? my (?:portfolio|account)|from my (?:portfolio|account)|(?:a |my )?dividends?|(?:in |of )?interest|just now|recently|stocks?|some|a few|worth|(?:from |in |as |through )?(?:an? |the )?(?:rights (?:issue|offering)|bonus (?:issue|shares?))|(?:as |in )?cash in lieu(?: of)?(?: (?:an? )?fraction(?:al shares?)?)?|withheld|deducted|minus|less|paid|avg\.?|average(?: (?:price|cost))?)\b/giu;

/** Parts of the day without an hour, which are ignored. `last evening` is another day. */
const PART_OF_DAY =
  /(?<!\p{L})(?:새벽|아침|오전|점심|낮|오후|저녁|밤)(?:에|쯤|때)?(?!\p{L}|\s{0,3}(?:\d|[한두세네다여일아열]\S{0,2}\s?시))|(?<!\blast )\b(?:(?:early |late )?(?:this|in the) )?(?:morning|afternoon|evening)\b|\bearlier(?= today)/giu;

/** Words for an unspecified day. */
const SOME_TIME =
  /(?<!\p{L})(?:최근|요즘|요새|요전|일전|예전|옛날|지난번|저번)에?(?!\p{L})|(?<!\p{L})(?:얼마|며칠|몇\s?(?:일|주|달|개월|년))\s?전에?(?!\p{L})|\b(?:the other day|lately|a while ago|(?:some|a few|several|a couple(?: of)?) (?:days|weeks|months|years) ago)\b/giu;
const IS_SOME_TIME = new RegExp(`${SOME_TIME.source}|\\brecently\\b`, 'iu');

export interface ToldTrade {
  readonly kind: Told;
  /** The text without the verb and filler words. */
  readonly rest: string;
  /** The day is unspecified. */
  readonly isSomeTime: boolean;
}

/** Finds the verb of a completed trade. Days and times stay in the rest. */
export const toldIn = (written: string): ToldTrade | null => {
  const text = written.replaceAll(PART_OF_DAY, '\n').replaceAll(SOME_TIME, '\n');
  const dayless = withoutReadings(text, [
    ...datesIn(text, SOME_DAY, { allowsShort: true }),
    ...timesIn(text),
  ]);
  const verb = [...VERBS_EN, ...VERBS_KO].find(
    ({ pattern, beside }) => pattern.test(dayless) && (beside?.test(text) ?? true),
  );
  const match = (verb?.pattern ?? VERB_AT_END).exec(dayless);
  if (!match) return null;
  const { verb: word = match[0] } = match.groups ?? {};
  const end = match.index + match[0].length;
  const before = text.slice(0, end - word.length).replace(/[.!,:;]\s{0,3}$/u, ' ');
  const kind = verb?.kind ?? (word.toLowerCase() === 'sold' ? 'sell' : 'buy');
  const rest = `${before} ${text.slice(end)}`.replaceAll(AROUND, ' ').trim();
  return { kind, rest, isSomeTime: IS_SOME_TIME.test(written) };
};
