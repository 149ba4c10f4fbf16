import { AMOUNT } from './amount.ts';

/** What the alert tool is to wait for. */
export interface AlertWish {
  /** Undefined: an alert is wanted, but not said for what. */
  readonly condition: string | undefined;
  readonly value: string | undefined;
  readonly fromNow: true | undefined;
  readonly repeat: true | undefined;
  /** The text without all that was read: names, or else it was something different. */
  readonly rest: string;
  /** Whether it can be nothing but a price, a change or an indicator: `10 되면` may be the time. */
  readonly isClear: boolean;
}

/** It is asked for under a condition, or by its name. */
const IS_TOLD =
  /(?:면|때|때마다|시)\s*(?:나\s?한테\s?|저한테\s?|꼭\s?|바로\s?|좀\s?){0,2}(?:알려|알림|말해|얘기해|연락|메시지|메세지)|알림\s?(?:을\s?)?(?:설정|등록|추가|걸어|만들어|맞춰|해|줘|부탁|$)/u;
const IS_TOLD_EN =
  /\b(?:(?:tell|notify|ping|warn|message|text|let|remind) me\b.{0,60}\b(?:when|if|once|as soon as|whenever|every time|each time)|(?:alert|notify|ping|warn) me|(?:set|create|add|make)(?: up)? (?:an? )?(?:new )?(?:price )?alert|price alert)\b|^alert\s/iu;
/** By its name, so that it can be nothing else. */
const IS_NAMED =
  /알림\s?(?:을\s?)?(?:설정|등록|추가|걸어|만들어|맞춰)|\b(?:set|create|add|make)(?: up)? (?:an? )?(?:new )?(?:price )?alert\b/iu;
/** Options that are not read here: without them it would be another alert. */
const HAS_MORE =
  /까지만|동안|오늘만|만료|시간\s?외|장전|\d\s?(?:일|주|달|월)\s?까지|\b(?:until|expir\w*|after[ -]?hours|pre[ -]?market|extended)\b/iu;

const WORDS_KO =
  /(?:나\s?한테|저한테|꼭|바로)(?!\p{L})|알려\s?(?:줘|주|달라|줄)\p{L}{0,20}|알려|알림\p{L}{0,20}(?:\s?(?:설정|등록|추가|걸어|만들어|맞춰|해|부탁)\p{L}{0,20})?|(?:말해|얘기해)\s?(?:줘|주)\p{L}{0,20}|연락\s?(?:해|줘|주)\p{L}{0,20}|메[시세]지\s?(?:보내|줘|주)\p{L}{0,20}|해\s?(?:줘|주세요)|목표\s?가격?(?:이|가)?/gu;
const WORDS_EN =
  /\b(?:please|can you|could you|(?:tell|alert|notify|ping|warn|message|text|let|remind) me(?: know)?|(?:set|create|add|make)(?: up)?|(?:an? )?(?:new )?(?:price )?alert|when(?:ever)?|if|once|as soon as|(?:every|each) time|the price of|price|stock|shares?|its?|for)\b/giu;
const FROM_NOW =
  /(?:지금|현재|현재가)\s?(?:부터|보다|가격에서|가격보다|대비|에서)|\bfrom (?:now|here|the current price)\b/iu;
const REPEATS = /때마다|매번|반복해서|반복|(?<!\p{L})계속|\b(?:every|each) time\b|\bwhenever\b/iu;

const PERCENT = String.raw`(?<![\p{L}\p{N}.,])[+\-−]?\d{1,4}(?:\.\d{1,4})?\s?(?:%|퍼센트|프로|percent|pct)`;
/** Up to three words behind the number: 이하로 떨어지면, 넘을 때, 도달하면. */
const TAIL = String.raw`(?:까지|으로|로|을|를|이|가|은|는|선을|선|대를|대|에)?(?:\s*(?:넘|이상|초과|돌파|상향|하향|위로|위에|위면|상회|도달|되|돼|될|이면|오르|오를|올라|상승|급등|찍|닿|이하|미만|아래|밑|하회|떨어|내려|내리|내릴|하락|급락|빠지|빠질|깨|붕괴|이탈|움직|변동|등락|가면|갈)\p{L}{0,20}){1,3}(?:\s?(?:때마다|때|시|경우)(?:에)?)?(?!\p{L})`;
const EN_DOES = String.raw`(?:(?:is|are|goes|gets|go|rises|rise|climbs|climb|trades|moves|jumps|falls|fall|drops|drop|dips|sinks|crosses|cross|breaks|break)\s+)?(?:back\s+)?`;
const SIDE_EN = '(?:above|over|past|higher than|more than|below|under|lower than|less than)';
const AVERAGE_KO = String.raw`(\d{1,3})\s?일\s?(?:이동\s?평균\s?선?|이평\s?선?|선)`;
const AVERAGE_EN = String.raw`(?:its |the )?(\d{1,3})[- ]?day (?:simple )?(?:moving )?(?:average|ma)`;
const HAPPENS = String.raw`(?:이|가|를|을)?\s*(?:(?:나오|나면|나타|뜨|뜰|떴|생기|발생|있|올라오|되|될|갱신|경신|돌파|찍|도달|기록)\p{L}{0,20})(?:\s?(?:때마다|때|시)(?:에)?)?`;
const APPEARS = "(?:hits?|reaches|makes?|sets?|at|on|forms?|has|there(?:'s| is)|sees?)";

const DOWN = /이하|미만|아래|밑|하회|떨어|내려|내리|내릴|하락|급락|빠지|빠질|깨|붕괴|이탈|하향/u;
const UP = /넘|이상|초과|돌파|위|상회|오르|오를|올라|상승|급등|상향/u;
const REACHES_EN = /^(?:hits|reaches|touches|gets to|is at|at)$/iu;
const FALLS_EN = /\b(?:below|under|lower|less|falls?|drops?|dips?|sinks|loses?|declines?|down)\b/iu;

type Found = Pick<AlertWish, 'value' | 'isClear'> & { readonly condition: string };
type Reader = readonly [pattern: RegExp, read: (match: readonly string[]) => Found];

const found = (condition: string, value?: string, isClear = true): Found => ({
  condition,
  value: value?.replaceAll(/\s+/gu, ' ').trim(),
  isClear,
});
const digits = (written: string): string => written.replaceAll(/[^\d.]/gu, '');
const hasMoney = (written: string): boolean => /[^\d.,\s]/u.test(written);

const sideOf = (words: string): 'above' | 'below' =>
  DOWN.test(words) || FALLS_EN.test(words) ? 'below' : 'above';

const priceKo = ([, amount = '', tail = '']: readonly string[]): Found => {
  if (!DOWN.test(tail) && !UP.test(tail)) return found('reaches', amount, hasMoney(amount));
  const side = sideOf(tail);
  const isCross = side === 'below' ? /깨|붕괴|이탈/u.test(tail) : /돌파/u.test(tail);
  return found(isCross ? `crosses_${side}` : side, amount, hasMoney(amount));
};
const priceEn = ([, words = '', amount = '']: readonly string[]): Found => {
  if (REACHES_EN.test(words)) return found('reaches', amount, hasMoney(amount));
  const side = sideOf(words);
  return found(/\b(?:cross|break)/iu.test(words) ? `crosses_${side}` : side, amount, hasMoney(amount));
};
const changeOf = (written: string, words: string, isUp: boolean): Found => {
  const isDown = /^\s*[-−]/u.test(written) || DOWN.test(words) || FALLS_EN.test(words);
  return found(isDown ? 'falls_percent' : isUp ? 'rises_percent' : 'moves_percent', digits(written));
};

/** The first that is found is taken: what is more exact stands first. */
const READERS: readonly Reader[] = [
  [
    new RegExp(
      String.raw`52\s?주\s?(?:신고가|최고가?|고점)${HAPPENS}|(?<!\p{L})신고가${HAPPENS}|(?:${APPEARS} )?(?:an? )?(?:new )?52[- ]week high`,
      'iu',
    ),
    () => found('year_high'),
  ],
  [
    new RegExp(
      String.raw`52\s?주\s?(?:신저가|최저가?|저점)${HAPPENS}|(?<!\p{L})신저가${HAPPENS}|(?:${APPEARS} )?(?:an? )?(?:new )?52[- ]week low`,
      'iu',
    ),
    () => found('year_low'),
  ],
  [
    new RegExp(String.raw`골든\s?크로스(?:${HAPPENS})?|(?:${APPEARS} )?(?:an? )?golden cross`, 'iu'),
    () => found('golden_cross'),
  ],
  [
    new RegExp(String.raw`데드\s?크로스(?:${HAPPENS})?|(?:${APPEARS} )?(?:an? )?(?:death|dead) cross`, 'iu'),
    () => found('death_cross'),
  ],
  [
    new RegExp(
      String.raw`(?:새\s?|새로운\s?)?(?:뉴스|소식|기사)${HAPPENS}|there(?:'s| is| are) (?:any |new |some )*(?:news|headlines?)(?: (?:about|on|of))?`,
      'iu',
    ),
    () => found('news'),
  ],
  [
    new RegExp(String.raw`rsi(?:가|이|는)?\s*(?<![\p{N}.])(\d{1,2}(?:\.\d)?)(${TAIL})`, 'iu'),
    ([, level, tail = '']) => found(`rsi_${sideOf(tail)}`, level),
  ],
  [
    new RegExp(
      String.raw`\b(?:the )?rsi\s+(${EN_DOES}${SIDE_EN})\s+(\d{1,2}(?:\.\d)?)(?![\p{L}\p{N}%])`,
      'iu',
    ),
    ([, words = '', level]) => found(`rsi_${sideOf(words)}`, level),
  ],
  [
    new RegExp(String.raw`(?<![\p{L}\p{N}])${AVERAGE_KO}(${TAIL})`, 'iu'),
    ([, days, tail = '']) => found(`price_${sideOf(tail)}_average`, days),
  ],
  [
    new RegExp(String.raw`\b(${EN_DOES}${SIDE_EN}) ${AVERAGE_EN}`, 'iu'),
    ([, words = '', days]) => found(`price_${sideOf(words)}_average`, days),
  ],
  [
    new RegExp(
      String.raw`거래량(?:이|은)?\s*(?:평소(?:의|보다)?\s*|평균(?:의)?\s*)?(\d{1,3}(?:\.\d)?)\s?배(?:로)?(?:${TAIL})?`,
      'u',
    ),
    ([, times]) => found('volume_times', times),
  ],
  [
    new RegExp(
      String.raw`\bvolume (?:${EN_DOES})?(?:${SIDE_EN} )?(\d{1,3}(?:\.\d)?)\s?(?:x|times)(?: (?:the )?(?:usual|average|normal))?(?!\p{L})`,
      'iu',
    ),
    ([, times]) => found('volume_times', times),
  ],
  [
    new RegExp(`(${PERCENT})(${TAIL})`, 'iu'),
    ([, written = '', tail = '']) =>
      changeOf(written, tail, /^\s*\+/u.test(written) || /오르|오를|올라|상승|급등|넘|돌파/u.test(tail)),
  ],
  [
    new RegExp(
      String.raw`\b((?:is |goes |go )?(?:up|down)|rises?|gains?|jumps?|climbs?|falls?|drops?|loses?|declines?|dips?|moves?|changes?|swings?)(?: by)?(?: (?:more than|at least|over))? (${PERCENT})(?: or more)?`,
      'iu',
    ),
    ([, words = '', written = '']) =>
      changeOf(written, words, !/^(?:moves?|changes?|swings?)$/iu.test(words)),
  ],
  [new RegExp(`(${AMOUNT})(${TAIL})`, 'iu'), priceKo],
  [
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(${EN_DOES}${SIDE_EN}|(?:rises|climbs|goes up|falls|drops|goes down) to|(?:hits|reaches|touches|gets to|is at|at))\s+(${AMOUNT})(?!\s?(?:%|percent|am|pm|o'clock))(?!\p{L})`,
      'iu',
    ),
    priceEn,
  ],
  [
    new RegExp(String.raw`([<>]=?)\s?(${AMOUNT})(?!\s?%)(?!\p{L})`, 'iu'),
    ([, sign, amount]) => found(sign?.startsWith('<') ? 'below' : 'above', amount),
  ],
];

/** What the tool takes. */
const MAX_VALUE = 40;

/**
 * `AAPL 200 넘으면 알려줘`, `alert me if NVDA RSI drops below 30`: one condition, and the wish to be told. Null for
 * everything else.
 */
export const readAlertWish = (text: string): AlertWish | null => {
  if (!(IS_TOLD.test(text) || IS_TOLD_EN.test(text)) || HAS_MORE.test(text)) return null;
  const without = (taken: readonly (string | RegExp)[]): string =>
    [...taken, WORDS_KO, WORDS_EN].reduce<string>((left, each) => left.replace(each, '\n'), text);
  for (const [pattern, read] of READERS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const wish = read(match);
    if ((wish.value?.length ?? 0) >= MAX_VALUE) return null;
    const isPercent = wish.condition.endsWith('_percent');
    return {
      ...wish,
      fromNow: (isPercent && FROM_NOW.test(text)) || undefined,
      repeat: REPEATS.test(text) || undefined,
      rest: without([match[0], isPercent ? FROM_NOW : '', REPEATS]),
    };
  }
  if (!IS_NAMED.test(text)) return null;
  const nothing = { condition: undefined, value: undefined, fromNow: undefined, repeat: undefined };
  return { ...nothing, isClear: false, rest: without([]) };
};
