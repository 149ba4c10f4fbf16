import { type Amount, amountsIn } from '#src/reading/amounts.ts';
import type { AlertCondition } from '#src/kernel/people/alerts.ts';
import { Decimal } from '#src/kernel/money.ts';
import { visibleLine } from '#src/kernel/text.ts';
import { type AlertOptions, splitOptions } from './read-options.ts';

/** How a price is compared; `crosses…` waits for the crossing itself. */
type Side = 'above' | 'below' | 'crosses-above' | 'crosses-below';

/** Crossings come first, because `crosses above` contains `above`. */
const WORDS: readonly (readonly [Side, string])[] = [
  [
    'crosses-below',
    String.raw`(?:cross(?:es|ing)?|breaks?|breaking) (?:below|under|down(?: through)?)|하향 ?(?:돌파|이탈)|이탈|붕괴|깨(?=지|질|면)|깨짐`,
  ],
  [
    'crosses-above',
    String.raw`(?:cross(?:es|ing)?|breaks?|breaking) (?:above|over|up(?: through)?|out(?: above)?)|(?:상향 ?)?돌파`,
  ],
  [
    'below',
    String.raw`<=|=<|≤|<|(?:(?:is|goes|falls|drops|gets|trades|to) )?(?:below|under|at most|lower than|less than)|(?:falls|drops|down) to|이하|미만|아래|밑|하회`,
  ],
  [
    'above',
    String.raw`>=|=>|≥|>|(?:(?:is|goes|rises|climbs|gets|trades|to) )?(?:above|over|at least|higher than|more than|greater than)|(?:rises|climbs|up) to|이상|초과|넘|위|상회|웃돌`,
  ],
];

const SIDES = WORDS.map(([, words]) => words).join('|');

const PARTICLE = '까지|으로|로|을|를|이|가|은|는|선을?|대';
/** A word must be separate; a sign may touch the name: `AAPL>200`. */
const AT_END = WORDS.map(
  ([side, words]) =>
    [side, new RegExp(`^(?<head>.*?)(?:(?<!\\S)|(?=[<>=≥≤]))(?:${words}) ?$`, 'isu')] as const,
);
/** Korean comparisons have endings: `이상이면`, `아래로 떨어지면`. */
const AT_START = WORDS.map(
  ([side, words]) =>
    [side, new RegExp(`^ ?(?:${PARTICLE})? ?(?:${words})(?:[가-힣 ]{0,14})$`, 'isu')] as const,
);

const UP =
  /오르|오른|올라|상승|급등|뛰|\b(?:up|rises?|gains?|jumps?|climbs?|rall(?:y|ies)|increases?|plus)\b/iu;
const DOWN =
  /내리|내린|내려|하락|급락|떨어|빠지|\b(?:down|drops?|falls?|loses?|declines?|decreases?|minus|dips?)\b/iu;
const EITHER = /변동|움직|등락|either|both|\b(?:moves?|changes?|swings?)\b/iu;

const directionIn = (words: string): 'up' | 'down' | 'either' | undefined => {
  if (EITHER.test(words) || (UP.test(words) && DOWN.test(words))) return 'either';
  if (UP.test(words)) return 'up';
  return DOWN.test(words) ? 'down' : undefined;
};

const ANY_MOVE = `(?:${UP.source}|${DOWN.source}|${EITHER.source})`;
const MOVES = `${ANY_MOVE}(?: or ${ANY_MOVE})? ?(?:by|of|in either direction|at least|more than|over)? ?`;
const MOVE_AT_END = new RegExp(`^(?<head>.*?\\s)(?<words>${MOVES})$`, 'isu');
const MOVE_AT_START = new RegExp(
  `^ ?(?:이상|넘게|or more|or so)? ?(?:in either direction|either way|양방향)? ?(?:${ANY_MOVE}(?: or ${ANY_MOVE})?[가-힣 ]{0,10}|(?:or more|in either direction|either way|양방향))?$`,
  'isu',
);
/** `reaches 200`, `= 200`: the side depends on the current price. */
const REACHES = /^(?<head>.*?)(?:\s(?:reaches|hits|touches|crosses|breaks|at)|=) ?$/isu;
const REACHED = /^ ?(?:까지|에|을|를|이|가)? ?(?:도달|닿|되)[가-힣 ]{0,8}$/u;

interface Before {
  readonly head: string;
  readonly side?: Side;
  /** For a change, the words that give its direction. */
  readonly words: string;
}

/** The comparison at the end of the text, and the text before it. */
const sideBefore = (text: string, isPercent = false): Before | undefined => {
  if (isPercent) {
    const move = MOVE_AT_END.exec(text)?.groups;
    if (move) return { head: move['head'] ?? '', words: move['words'] ?? '' };
  }
  for (const [side, pattern] of AT_END) {
    const head = pattern.exec(text)?.groups?.['head'];
    if (head !== undefined) return { head, side, words: '' };
  }
  return { head: REACHES.exec(text)?.groups?.['head'] ?? text, words: '' };
};

interface After {
  readonly rest: string;
  readonly side?: Side;
  readonly words: string;
}

/** The comparison behind a number; `rest` is the part that could not be read. */
const sideAfter = (text: string, isPercent = false): After | undefined => {
  if (text.trim() === '') return { rest: '', words: '' };
  if (isPercent && MOVE_AT_START.test(text)) return { rest: '', words: text };
  for (const [side, pattern] of AT_START) if (pattern.test(text)) return { rest: '', side, words: text };
  if (REACHED.test(text)) return { rest: '', words: '' };
  // `8만원까지 오르면`, `200 or more`.
  const direction = /^ ?(?:까지|으로|로) ?\S/u.test(text) ? directionIn(text) : undefined;
  if (direction === 'up') return { rest: '', side: 'above', words: text };
  if (direction === 'down') return { rest: '', side: 'below', words: text };
  if (/^ ?or (?:more|above|higher) ?$/iu.test(text)) return { rest: '', side: 'above', words: '' };
  if (/^ ?or (?:less|below|lower) ?$/iu.test(text)) return { rest: '', side: 'below', words: '' };
  return { rest: text.trim(), words: '' };
};

/** A range of prices, which no alert supports. */
interface AlertRange {
  readonly name: string;
  /** Both bounds as they were written. */
  readonly low: string;
  readonly high: string;
}

const BETWEEN = /^ ?(?:and|to|-|–|~|에서|부터) ?$/iu;
const SAYS_RANGE = /\b(?:between|outside|within|range)\b|사이|범위|밖으?로?|벗어/iu;
const BESIDE =
  /^(?:is|are|stays?|goes|gets?|trades?|price|leaves?|moves?|in|out|of|a|the|range|inside|outside|within|between|from|주가|가격|시세|주가가|가격이)$/iu;

/** `AAPL between 190 and 210`, `삼성전자 8만원에서 9만원 사이`, `AAPL 190~210`. */
const readRange = (text: string): AlertRange | undefined => {
  const [first, second, ...others] = amountsIn(text);
  if (!first || !second || others.length > 0) return undefined;
  const joint = text.slice(first.end, second.start);
  const around = `${text.slice(0, first.start)} ${text.slice(second.end)}`;
  if (!BETWEEN.test(joint) || !(SAYS_RANGE.test(around) || joint.includes('~'))) return undefined;
  const words = text.slice(0, first.start).trim().split(' ');
  const last = words.findLastIndex((word) => !BESIDE.test(word));
  const name = words.slice(0, last + 1).join(' ');
  const isUpward = first.value.value.lessThanOrEqualTo(second.value.value);
  const [one, other] = [first, second].map(({ start, end }) => text.slice(start, end).trim());
  if (name === '' || one === undefined || other === undefined) return undefined;
  return isUpward ? { name, low: one, high: other } : { name, low: other, high: one };
};

type OfKind<Kind extends AlertCondition['kind']> = Extract<AlertCondition, { readonly kind: Kind }>;

/** `isKorean`: written with 만 or 억. For a coin that means won, because dollars are not counted so. */
export type AlertAmount = Amount & { readonly isKorean: boolean };

/** A condition as far as the text alone tells, before its instrument is known. */
export type ConditionDraft =
  | { readonly kind: 'price'; readonly side: Side | 'reach'; readonly amount: AlertAmount }
  | {
      readonly kind: 'percent';
      readonly amount: Amount;
      /** The comparison, as for a rate: `> 4.5%`. */
      readonly side?: Side;
      readonly direction?: 'up' | 'down' | 'either';
      readonly since: 'day' | 'set';
    }
  | OfKind<'rsi'>
  | OfKind<'ma-cross'>
  /** The direction depends on the current averages. */
  | { readonly kind: 'ma-either'; readonly fast: number; readonly slow: number }
  | OfKind<'year-high' | 'year-low'>
  | OfKind<'volume'>
  | OfKind<'news'>;

export type ReadAlert =
  | {
      readonly status: 'read';
      readonly name: string;
      readonly draft: ConditionDraft;
      readonly options: AlertOptions;
      /** The text behind the name, for repeating the command with another name. */
      readonly behindName: string;
    }
  | ({ readonly status: 'range' } & AlertRange)
  | { readonly status: 'unclear'; readonly text: string };

interface Named {
  readonly name: string;
  readonly draft: ConditionDraft;
}

const DEFAULT_RSI_DAYS = 14;
const GOLDEN = { fast: 50, slow: 200 } as const;
const DEFAULT_MULTIPLE = 3;

/** Bounds the input of every pattern below. They see one line with single blanks. */
const MAX_CHARACTERS = 500;

const LEADING =
  /^(?:please )?(?:(?:can|could) you )?(?:(?:나|저) ?한테 |alert (?:me )?|(?:notify|tell|ping|warn|message|text) me (?:know )?|let me know |(?:set|create|add|make)(?: up)? (?:an? )?(?:new )?(?:price )?alert (?:for |on )?)?(?:(?:(?<again>whenever|(?:every|each) time)|when|if|once|as soon as) )?/iu;
/** `there is news about Tesla`. */
const NEWS_OF =
  /^there(?:'s| is| are) (?:any |new |some )?(?:news|headlines?) (?:about|on|of) (?<name>\S.*)$/iu;
/** `rsi of nvda goes over 70`. */
const RSI_OF =
  /^(?:the )?rsi (?:of|for|on) (?<name>\S{1,20}(?: \S{1,20}){0,2}?) (?=goes|is|gets|drops|falls|rises|climbs|hits|reaches|crosses|above|below|over|under|[<>])/iu;
/** Ends a price alert today. Changes are measured from the previous close anyway. */
const TODAY = /(?<=^|\s)(?:today(?: only)?|오늘(?:만|\s?안에|\s?중에?)?|당일)(?=\s|$)/iu;
const TRAILING =
  / ?(?:(?:이|가)? ?(?:되면|될 ?때|하면|할 ?때|나오면|뜨면|찍으면|찍을 ?때|생기면|있으면)|일 ?때|때)? ?(?:에)? ?(?:(?:나|저) ?한테 |꼭 |바로 |좀 ){0,2}(?:알려 ?줘요?|알려 ?주세요|알려 ?달라\p{L}{0,3}|연락 ?(?:해 ?)?줘\p{L}{0,2}|얘기 ?해 ?줘\p{L}{0,2}|말해 ?줄래\p{L}{0,2}|카톡 ?줘|메[시세]지 ?(?:보내)? ?줘|알림(?: ?(?:설정|해 ?줘|걸어 ?줘|줘))?|말해 ?줘|please)?$/iu;
const FULL_STOP = /(?<![.!?])[.!?]+$/u;
const BESIDE_NAME = / (?:'s )?(?:price|주가|가격|시세|현재가|종가|주식)(?:이|가|는|은)?$/iu;

const cleanName = (name: string): string => name.trim().replace(BESIDE_NAME, '').trim();

const NEWS =
  /^(?<name>.+?) (?:news|headlines?|뉴스|기사|소식)(?: ?(?:about|with|containing|keyword|키워드|:))?(?:$| (?<words>.*))/iu;
const YEAR =
  /^(?<name>.+?) (?:(?:hits|makes|sets|reaches|at|on) )?(?:an? )?(?:(?:new )?(?:52 ?-? ?(?:weeks?|wk|w|주)|1 ?년|연중|1 ?-? ?year|yearly|year) ?-? ?(?:new )?(?<what>신? ?고가?|최고가?|highs?|신? ?저가?|최저가?|lows?)|(?<short>신고가?|신저가?))(?: ?(?:갱신|경신|돌파))?$/iu;
const RSI =
  /^(?<name>.+?) (?:(?<days>\d{1,4}) ?-?(?:일|days?) )?rsi(?: ?\((?<in>\d{1,4})\)|(?<at>\d{1,4})(?= )| (?<by>\d{1,4})일?(?=[^\d.,].{0,60}\d))? ?(?:가|이)? ?(?<rest>.*)/iu;
const MA = (tag: string): string =>
  String.raw`(?:(?:s?ma|moving average|average|이평선?) ?\(?(?<${tag}>\d{1,4})\)?|(?<${tag}Ko>\d{1,4}) ?(?:-? ?days? ?(?:sma|ma|moving average|average)|dma|일 ?(?:이동 ?평균 ?선?|이평 ?선?|선)))`;
const GOLDEN_CROSS =
  /^(?<name>.+?) (?:(?:s?ma ?)?(?<f1>\d{1,4}) ?일? ?[/,· -] ?(?<s1>\d{1,4}) ?일? ?)?(?:(?<up>golden ?cross|골든 ?크로스)|(?:dead|death) ?cross|데드 ?크로스)(?: ?\(?(?<f2>\d{1,4}) ?[/,· -] ?(?<s2>\d{1,4})\)?)?$/iu;
/** `ma 20 60 cross`, `20/60일선 교차`. */
const EITHER_CROSS =
  /^(?<name>.+?) (?:s?ma|이평선?|이동 ?평균선?)? ?\(?(?<fast>\d{1,4}) ?일? ?(?:선|ma)? ?[/,· -] ?(?:ma ?)?(?<slow>\d{1,4})\)? ?(?:-? ?days?|일)? ?(?:선|이평선?|이동 ?평균선?|averages?|ma)? ?(?:cross(?:es|over)?|크로스|교차)$/iu;
/** Without a direction: `crosses 200 day average`. */
const MEETS = 'cross(?:es|ing)?|breaks?|touches|hits|reaches|교차|닿|도달';
const CROSSES = new RegExp(`^(?:${MEETS})`, 'iu');
const BEFORE_AVERAGE = `${SIDES}|${MEETS}`;
const TWO_AVERAGES = new RegExp(
  `^(?<name>.+?) ${MA('fast')} ?(?:이|가)? ?(?<before>${BEFORE_AVERAGE})? ?${MA('slow')} ?(?:을|를|에)? ?(?<after>.*)`,
  'iu',
);
const ONE_AVERAGE = new RegExp(
  `^(?<name>.+?) (?:(?:price|주가|현재가|가격)(?:가|이)? ?)?(?<before>${BEFORE_AVERAGE})? ?(?:its|the)? ?${MA('slow')} ?(?:을|를|에)? ?(?<after>.*)`,
  'iu',
);
const VOLUME =
  /^(?<name>.+?) (?:volume|거래량)(?:이|가)? ?(?:(?:spike|급증|폭증)(?:하면)?$|(?:spike|평소의?|평균의?|usual|average|>=?|≥|over|above|at least)? ?(?<rest>\S.*))/iu;

const readNews = (text: string): Named | undefined => {
  const { name, words = '' } = NEWS.exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  const keyword = words
    .trim()
    .replace(/^["'“‘]+/u, '')
    .replace(/(?<!["'”’])["'”’]+$/u, '');
  return { name, draft: { kind: 'news', keyword: keyword.trim() } };
};

const readYear = (text: string): Named | undefined => {
  const { name, what, short } = YEAR.exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  const isHigh = /고|high/iu.test(what ?? short ?? '');
  return { name, draft: { kind: isHigh ? 'year-high' : 'year-low' } };
};

/** Every split of a text into an amount and the text around it. */
const placesIn = (
  text: string,
): readonly { readonly before: string; readonly amount: AlertAmount; readonly after: string }[] =>
  amountsIn(text).map(({ value, hasKoreanScale, start, end }) => ({
    before: text.slice(0, start),
    amount: { ...value, isKorean: hasKoreanScale },
    after: text.slice(end),
  }));

const wayOf = (side: Side): 'above' | 'below' => (side.endsWith('above') ? 'above' : 'below');

/** Reads a number with a comparison on either side, and nothing else. */
const levelIn = (text: string): { readonly value: Decimal; readonly side?: Side } | undefined => {
  for (const { before, amount, after } of placesIn(text)) {
    const lead = sideBefore(before);
    const tail = sideAfter(after);
    if (!lead || !tail || lead.head.trim() !== '' || tail.rest !== '') continue;
    const side = lead.side ?? tail.side;
    return { value: amount.value, ...(side && { side }) };
  }
  return undefined;
};

const readRsi = (text: string): Named | undefined => {
  const { name, days, in: inside, at, by, rest = '' } = RSI.exec(text)?.groups ?? {};
  const level = name === undefined ? undefined : levelIn(rest);
  if (name === undefined || !level) return undefined;
  const period = Number(inside ?? at ?? by ?? days ?? DEFAULT_RSI_DAYS);
  const side = level.side ? wayOf(level.side) : level.value.greaterThanOrEqualTo(50) ? 'above' : 'below';
  return { name, draft: { kind: 'rsi', period, side, level: level.value } };
};

const readGolden = (text: string): Named | undefined => {
  const { name, f1, s1, f2, s2, up } = GOLDEN_CROSS.exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  const [fast, slow] = [Number(f1 ?? f2 ?? GOLDEN.fast), Number(s1 ?? s2 ?? GOLDEN.slow)];
  return { name, draft: { kind: 'ma-cross', fast, slow, direction: up === undefined ? 'down' : 'up' } };
};

/** `ma60 > ma20` describes the slow average, so the fast one crosses in the other direction. */
const crossOf = (fast: number, slow: number, side: Side): OfKind<'ma-cross'> => {
  const isUp = wayOf(side) === 'above';
  return fast <= slow
    ? { kind: 'ma-cross', fast, slow, direction: isUp ? 'up' : 'down' }
    : { kind: 'ma-cross', fast: slow, slow: fast, direction: isUp ? 'down' : 'up' };
};

const eitherOf = (one: number, other: number): ConditionDraft => ({
  kind: 'ma-either',
  fast: Math.min(one, other),
  slow: Math.max(one, other),
});

const readEither = (text: string): Named | undefined => {
  const { name, fast, slow } = EITHER_CROSS.exec(text)?.groups ?? {};
  return name === undefined ? undefined : { name, draft: eitherOf(Number(fast), Number(slow)) };
};

const readAverages = (text: string): Named | undefined => {
  const two = TWO_AVERAGES.exec(text)?.groups;
  const groups = two ?? ONE_AVERAGE.exec(text)?.groups;
  if (!groups) return undefined;
  const { name = '', before = '', after = '' } = groups;
  const fast = two ? Number(groups['fast'] ?? groups['fastKo']) : 1;
  const slow = Number(groups['slow'] ?? groups['slowKo']);
  const tail = sideAfter(after);
  const side = sideBefore(before)?.side ?? tail?.side;
  if (side) return tail?.rest === '' ? { name, draft: crossOf(fast, slow, side) } : undefined;
  const isEither = CROSSES.test(before) ? after === '' : before === '' && CROSSES.test(after);
  return isEither ? { name, draft: eitherOf(fast, slow) } : undefined;
};

const readVolume = (text: string): Named | undefined => {
  const { name, rest } = VOLUME.exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  if (rest === undefined) return { name, draft: { kind: 'volume', multiple: new Decimal(DEFAULT_MULTIPLE) } };
  const [place] = placesIn(rest);
  if (!place) return undefined;
  // A number of shares is no multiple. A multiple of 0 is refused later, with an explanation.
  const multiple = place.amount.unit === 'times' ? place.amount.value : new Decimal(0);
  return { name, draft: { kind: 'volume', multiple } };
};

const SINCE_SET =
  / ?(?:from (?:now|here|the current price)|since now|지금 ?(?:부터|가격에서|보다|대비)?|현재가? ?(?:대비|부터|보다|에서)|설정가? ?대비)(?= |$)/iu;
const SINCE_DAY =
  / ?(?:today|on the day|in a day|from (?:the previous|yesterday's) close|당일|하루(?:에| ?만에)?|전일 ?(?:종가 ?)?대비|오늘)(?= |$)/iu;

const readNumber = (text: string): Named | undefined => {
  const isSinceSet = SINCE_SET.test(text);
  const words = text.replace(SINCE_SET, ' ').replace(SINCE_DAY, ' ').replaceAll(/\s+/gu, ' ').trim();
  for (const { before, amount, after } of placesIn(words)) {
    const isPercent = amount.unit === 'percent';
    // A multiple is no price, and `25bp` is a change.
    if (amount.unit === 'times' || amount.unit === 'basis-points') continue;
    const lead = sideBefore(before, isPercent);
    const tail = sideAfter(after, isPercent);
    if (!lead || !tail || tail.rest !== '' || lead.head.trim() === '') continue;
    const side = lead.side ?? tail.side;
    const name = lead.head;
    if (!isPercent) return { name, draft: { kind: 'price', side: side ?? 'reach', amount } };
    const direction = directionIn(lead.words) ?? directionIn(tail.words);
    const since = isSinceSet ? 'set' : 'day';
    return {
      name,
      draft: { kind: 'percent', amount, since, ...(side && { side }), ...(direction && { direction }) },
    };
  }
  return undefined;
};

const READERS = [
  readNews,
  readYear,
  readRsi,
  readGolden,
  readEither,
  readAverages,
  readVolume,
  readNumber,
] as const;

/** Reads the text of an alert. Pure; it does not resolve the name. */
export const readAlert = (typed: string): ReadAlert => {
  const whole = visibleLine(typed.normalize('NFKC')).replaceAll(/\s+/gu, ' ').trim();
  if (whole.length > MAX_CHARACTERS) return { status: 'unclear', text: whole };
  const text = whole.replace(LEADING, '').replace(NEWS_OF, '$<name> news').replace(RSI_OF, '$<name> rsi ');
  const { rest: told, options: named } = splitOptions(text);
  const rest = told.replace(TODAY, '').replaceAll(/\s+/gu, ' ').trim();
  const endsToday = rest !== told && named.expires === undefined;
  const isAgain = LEADING.exec(whole)?.groups?.['again'] !== undefined;
  const options = isAgain ? { isRepeating: true, ...named } : named;
  const range = readRange(rest);
  if (range) return { status: 'range', ...range };
  for (const words of [rest.replace(FULL_STOP, '').replace(TRAILING, '').trim(), rest]) {
    for (const read of READERS) {
      const found = read(words);
      const name = found ? cleanName(found.name) : '';
      if (!found || name === '') continue;
      const behind = text.startsWith(name) ? text.slice(name.length).trim() : '';
      const behindName = isAgain && behind !== '' ? `${behind} repeat` : behind;
      const until = endsToday && found.draft.kind !== 'percent' ? { expires: 'today' } : {};
      return { status: 'read', name, draft: found.draft, options: { ...options, ...until }, behindName };
    }
  }
  return { status: 'unclear', text: rest };
};
