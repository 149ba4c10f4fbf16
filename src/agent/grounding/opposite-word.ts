import type { Range } from './layout.ts';

/** Korean stems with those of the other direction, which take the same endings: `내렸습니다`, `올랐습니다`. */
const STEMS: readonly (readonly [up: string, down: string])[] = [
  ['상승', '하락'],
  ['급등', '급락'],
  ['강세', '약세'],
  ['증가', '감소'],
  ['성장', '역성장'],
  ['평가이익', '평가손실'],
  ['평가차익', '평가손실'],
  ['이익', '손실'],
  ['수익', '손실'],
  ['플러스', '마이너스'],
  ['상회', '하회'],
  ['웃돌', '밑돌'],
  ['웃도', '밑도'],
  ['올랐', '내렸'],
  ['올라', '내려'],
  ['오른', '내린'],
  ['오르', '내리'],
  ['늘었', '줄었'],
  ['늘어', '줄어'],
  ['높은', '낮은'],
  ['높아', '낮아'],
  ['높습', '낮습'],
  ['높게', '낮게'],
  ['위에', '아래에'],
];
/** Words of one direction whose opposite has another word of its own. */
const ONE_WAY: readonly (readonly [word: string, opposite: string])[] = [
  ['반등', '하락'],
  ['떨어졌', '올랐'],
  ['떨어진', '오른'],
  ['떨어져', '올라'],
  ['떨어지', '오르'],
  ['빠졌', '올랐'],
  ['빠진', '오른'],
  ['밀렸', '올랐'],
  ['밀려', '올라'],
];

const KOREAN: readonly (readonly [stem: string, opposite: string])[] = [
  ...STEMS.flatMap(([up, down]) => [[up, down] as const, [down, up] as const]),
  ...ONE_WAY,
].toSorted(([one], [other]) => other.length - one.length);

const ENGLISH: ReadonlyMap<string, string> = new Map(
  [
    ['up', 'down'],
    ['rose', 'fell'],
    ['risen', 'fallen'],
    ['rise', 'fall'],
    ['rises', 'falls'],
    ['rising', 'falling'],
    ['gained', 'lost'],
    ['gain', 'loss'],
    ['gains', 'losses'],
    ['increased', 'decreased'],
    ['increase', 'decrease'],
    ['higher', 'lower'],
    ['above', 'below'],
  ]
    .flatMap(([up = '', down = '']) => [[down, up] as const, [up, down] as const])
    .concat(
      ['climbed', 'jumped', 'rallied', 'surged', 'rebounded', 'advanced'].map(
        (word) => [word, 'fell'] as const,
      ),
      ['dropped', 'slipped', 'slid', 'tumbled', 'plunged', 'declined'].map((word) => [word, 'rose'] as const),
      [
        ['drop', 'rise'],
        ['drops', 'rises'],
        ['decline', 'rise'],
        ['advance', 'decline'],
        ['growth', 'decline'],
        ['profit', 'loss'],
        ['added', 'lost'],
        ['shed', 'gained'],
        ['grew', 'shrank'],
        ['shrank', 'grew'],
        ['under', 'above'],
      ] as const,
    ),
);

const HANGUL_RUN = /^[가-힣]{1,12}/u;
const LATIN_RUN = /^[A-Za-z]{1,12}(?![A-Za-z])/u;

const ARTICLE = /\ban? $/iu;
const STARTS_WITH_VOWEL = /^[aeiou]/iu;

/** A word of direction and what stands in its place. */
export interface Reversal extends Range {
  readonly replacement: string;
}

/** The word at this place with the one of the other direction, in the same form. Undefined if there is none. */
export const oppositeAt = (text: string, { start }: Range): Reversal | undefined => {
  const rest = text.slice(start, start + 24);
  const korean = HANGUL_RUN.exec(rest)?.[0];
  if (korean !== undefined) {
    const [stem, opposite] = KOREAN.find(([each]) => korean.startsWith(each)) ?? [];
    if (stem === undefined || opposite === undefined) return undefined;
    return {
      start,
      end: start + korean.length,
      replacement: `${opposite}${korean.slice(stem.length)}`,
    };
  }
  const english = LATIN_RUN.exec(rest)?.[0] ?? '';
  const opposite = ENGLISH.get(english.toLowerCase());
  if (opposite === undefined) return undefined;
  const isCapital = english.charAt(0) !== english.charAt(0).toLowerCase();
  const replacement = isCapital ? `${opposite.charAt(0).toUpperCase()}${opposite.slice(1)}` : opposite;
  const end = start + english.length;
  const article = ARTICLE.exec(text.slice(Math.max(0, start - 4), start))?.[0];
  if (article === undefined || STARTS_WITH_VOWEL.test(english) === STARTS_WITH_VOWEL.test(replacement))
    return { start, end, replacement };
  // `an increase`, `a decrease`.
  const other = STARTS_WITH_VOWEL.test(replacement) ? `${article.charAt(0)}n` : article.charAt(0);
  return { start: start - article.length, end, replacement: `${other} ${replacement}` };
};
