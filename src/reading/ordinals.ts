import { foldWidth } from './reading.ts';

/** The list item a person means: `2번`, "the second one", `마지막`. Positions start at 0. */
export type ListChoice =
  | { readonly kind: 'one'; readonly index: number }
  /** `several`: more than one was named. `outside`: the list is shorter. */
  | { readonly kind: 'unclear'; readonly why: 'several' | 'outside' };

const MAX_CHARS = 60;
/** The last position of a list of any length. */
const LAST = Number.MAX_SAFE_INTEGER;

const ENGLISH = [
  'first 1st',
  'second 2nd',
  'third 3rd',
  'fourth 4th',
  'fifth 5th',
  'sixth 6th',
  'seventh 7th',
  'eighth 8th',
  'ninth 9th',
  'tenth 10th',
];
const KOREAN = [
  '첫번째 첫째 첫번 한번째 일번 맨위 맨처음 제일위',
  '두번째 둘째',
  '세번째 셋째 삼번',
  '네번째 넷째 사번',
  '다섯번째 다섯째 오번',
  '여섯번째 여섯째 육번',
  '일곱번째 일곱째 칠번',
  '여덟번째 여덟째 팔번',
  '아홉번째 아홉째 구번',
  '열번째 열째 십번',
];
/** `이번` is left out, because it means "this time". */
const PLACES: ReadonlyMap<string, number> = new Map([
  ...[ENGLISH, KOREAN].flatMap((lists) =>
    lists.flatMap((words, index) => words.split(' ').map((word) => [word, index] as const)),
  ),
  ...'last 마지막 맨마지막 맨끝 끝 맨아래 제일마지막 제일아래'
    .split(' ')
    .map((word) => [word, LAST] as const),
]);

const SEVERAL: ReadonlySet<string> = new Set(
  'both all everything two three either 둘다 모두 전부 다 셋다 둘 두개 세개 아무거나'.split(' '),
);
const BESIDE: ReadonlySet<string> = new Set(
  (
    'the one ones option choice number no nr pick choose select take i mean meant want go with please it is its that thats ' +
    'and or a um uh oh show me give tell about company stock ' +
    '거 것 꺼 걸로 것으로 거로 꺼로 거요 꺼요 것요 걸 거를 것을 요 이요 으로 로 으로요 로요 를 을 은 는 이 가 종목 회사 항목 번호 선택 선택할게 선택해 골라줘 고를게 할게 할게요 ' +
    '해 해줘 해주세요 보여줘 보여주세요 알려줘 알려주세요 부탁해 부탁해요 부탁드려요 음 아 어 그 저 네 예 응 그럼 그냥 입니다 이에요 예요 이야 야 임 랑 이랑 하고 와 과 그리고 에있는 있는'
  ).split(' '),
);

/** A number that can only be a position: `2`, `#2`, `2번`, `2번째`, "2nd". */
const NUMBERED = /^#?(\d{1,3})(?:st|nd|rd|th|번째|번)?$/u;
/** Longest first: `2번째거요` is `2번째` and `거요`. */
const TAILS = [...BESIDE].filter((word) => /^[가-힣]/u.test(word)).toSorted((a, b) => b.length - a.length);

/** The position a word names, without its suffixes. Undefined for other words. */
const placeOf = (word: string): number | undefined => {
  const place = PLACES.get(word);
  if (place !== undefined) return place;
  const number = NUMBERED.exec(word)?.[1];
  return number === undefined ? undefined : Number(number) - 1;
};

const placeIn = (word: string): number | undefined => {
  const tail = TAILS.find(
    (ending) => word.endsWith(ending) && placeOf(word.slice(0, -ending.length)) !== undefined,
  );
  return placeOf(word) ?? (tail === undefined ? undefined : placeOf(word.slice(0, -tail.length)));
};

const CIRCLED = /[①-⑳]/gu;
const plainly = (text: string): string =>
  foldWidth(text.normalize('NFC'))
    .replaceAll(/[\u{FE0F}\u{20E3}]/gu, '')
    .replaceAll(CIRCLED, (sign) => ` ${sign.charCodeAt(0) - '①'.charCodeAt(0) + 1} `)
    .toLowerCase();

/** Written as two words but meant as one: `첫 번째`, `맨 위`, `2 번`, `둘 다`. */
const APART: readonly (readonly [RegExp, string])[] = [
  [/([첫두세네섯곱덟홉열한]) 번째/gu, '$1번째'],
  [/(\d) 번/gu, '$1번'],
  [/(맨|제일) (위|처음|끝|아래|마지막)/gu, '$1$2'],
  [/([둘셋]) 다(?![가-힣])/gu, '$1다'],
  [/# (\d)/gu, '#$1'],
];

/**
 * Reads which of `count` items a person means. Null for other text: `1주 샀어`, `3%`, `2026-01-01` and `1.5` are not
 * positions.
 */
export const readListChoice = (text: string, count: number): ListChoice | null => {
  if (text.length > MAX_CHARS) return null;
  let plain = plainly(text).replaceAll(/\s+/gu, ' ').trim();
  for (const [pattern, joined] of APART) plain = plain.replaceAll(pattern, joined);
  // A dot or bracket may end a position, but `1.5` and `1,000` are numbers.
  const words = plain
    .replaceAll(/[.,)!~](?= |$)/gu, ' ')
    .split(' ')
    .filter((word) => word !== '');
  const places: number[] = [];
  let isSeveral = false;
  for (const word of words) {
    const place = placeIn(word);
    if (place !== undefined) places.push(place);
    else if (SEVERAL.has(word)) isSeveral = true;
    else if (!BESIDE.has(word)) return null;
  }
  const named = new Set(places.map((place) => (place === LAST ? count - 1 : place)));
  if (named.size === 0 && !isSeveral) return null;
  const [index] = named;
  if (isSeveral || named.size > 1 || index === undefined) return { kind: 'unclear', why: 'several' };
  return index >= 0 && index < count ? { kind: 'one', index } : { kind: 'unclear', why: 'outside' };
};
