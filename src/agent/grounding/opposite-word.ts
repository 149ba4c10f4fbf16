import { euroBehind } from '#src/language/particles.ts';
import type { Range } from './layout.ts';

/** Korean stems with those of the other direction, which take the same endings: `내렸습니다`, `올랐습니다`. */
const STEMS: readonly (readonly [up: string, down: string])[] = [
  ['상승', '하락'],
  ['급등', '급락'],
  ['폭등', '폭락'],
  ['오름세', '내림세'],
  ['강보합', '약보합'],
  ['강세', '약세'],
  ['증가', '감소'],
  ['성장', '역성장'],
  ['평가이익', '평가손실'],
  ['평가차익', '평가손실'],
  ['이익', '손실'],
  ['벌었', '잃었'],
  ['수익', '손실'],
  ['플러스', '마이너스'],
  ['상회', '하회'],
  ['웃돌', '밑돌'],
  ['웃도', '밑도'],
  ['웃돕', '밑돕'],
  ['올랐', '내렸'],
  ['올라', '내려'],
  ['오른', '내린'],
  ['오르', '내리'],
  ['오릅', '내립'],
  ['늘었', '줄었'],
  ['늘어났', '줄어들었'],
  ['늘어난', '줄어든'],
  ['늘어나는', '줄어드는'],
  ['늘어나', '줄어들'],
  ['늘어', '줄어'],
  ['높은', '낮은'],
  ['높아', '낮아'],
  ['높습', '낮습'],
  ['높게', '낮게'],
  ['높다', '낮다'],
  ['높고', '낮고'],
  ['높으', '낮으'],
  ['높지', '낮지'],
  ['위에', '아래에'],
  ['위입', '아래입'],
  ['↑', '↓'],
];
/** Words of one direction whose opposite has another word of its own. */
const ONE_WAY: readonly (readonly [word: string, opposite: string])[] = [
  ['반등', '하락'],
  ['떨어졌', '올랐'],
  ['떨어진', '오른'],
  ['떨어져', '올라'],
  ['떨어지', '오르'],
  ['떨어질', '오를'],
  ['빠졌', '올랐'],
  ['빠진', '오른'],
  ['빠지', '오르'],
  ['빠질', '오를'],
  ['밀렸', '올랐'],
  ['밀린', '오른'],
  ['밀려났', '올랐'],
  ['내려앉았', '올라섰'],
  ['추락', '상승'],
  ['미끄러졌', '올랐'],
  ['주저앉았', '올랐'],
  ['뛰었', '내렸'],
  ['뛰어올랐', '내렸'],
  ['뛴', '내린'],
  ['밀려', '올라'],
  ['치솟았', '내렸'],
];
/** `내려앉아`, `밀려나며`, `반등에 성공`: with the opposite of their first part, these are no words. */
const WITHOUT_OPPOSITE = /^(?:내려앉(?!았)|밀려나|반등에)/u;

const KOREAN: readonly (readonly [stem: string, opposite: string])[] = [
  ...STEMS.flatMap(([up, down]) => [[up, down] as const, [down, up] as const]),
  ...ONE_WAY,
].toSorted(([one], [other]) => other.length - one.length);

/** The ending of a word behind another one: `이익으로`, but `손실로`. */
const endingBehind = (word: string, ending: string): string =>
  ending.replace(/^으?로/u, euroBehind(word.slice(-1)));

const wordsFor = (opposite: string, words: string): readonly (readonly [string, string])[] =>
  words.split(' ').map((word) => [word, opposite] as const);

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
    ['increases', 'decreases'],
    ['increasing', 'decreasing'],
    ['gaining', 'losing'],
    ['higher', 'lower'],
    ['above', 'below'],
    ['strengthened', 'weakened'],
    ['strengthening', 'weakening'],
    ['strengthens', 'weakens'],
  ]
    .flatMap(([up = '', down = '']) => [[down, up] as const, [up, down] as const])
    .concat(
      wordsFor('fell', 'climbed jumped rallied surged soared rebounded advanced'),
      wordsFor('falling', 'climbing jumping rallying surging soaring rebounding advancing'),
      wordsFor('falls', 'climbs jumps rallies surges soars rebounds advances'),
      wordsFor('fall', 'climb jump surge'),
      wordsFor('decline', 'advance rally rebound growth'),
      wordsFor(
        'rose',
        'dropped dipped slipped slid slumped sank tumbled plunged plummeted crashed nosedived cratered retreated eased declined',
      ),
      wordsFor(
        'rising',
        'dropping dipping slipping sliding slumping sinking tumbling plunging plummeting retreating declining',
      ),
      wordsFor('rises', 'drops dips slips slides slumps sinks tumbles plunges plummets retreats declines'),
      wordsFor('rise', 'drop dip slide slump plunge tumble decline'),
      [
        ['profit', 'loss'],
        ['loses', 'gains'],
        ['added', 'lost'],
        ['shed', 'gained'],
        ['grew', 'shrank'],
        ['shrank', 'grew'],
        ['under', 'above'],
      ] as const,
    ),
);

/** A word with its endings, or an arrow. */
const KOREAN_RUN = /^(?:[가-힣]{1,12}|[↑↓])/u;
const LATIN_RUN = /^[A-Za-z]{1,12}(?![A-Za-z])/u;

const ARTICLE = /\ban? $/iu;
const STARTS_WITH_VOWEL = /^[aeiou]/iu;

/** A word of direction and what stands in its place. */
export interface Reversal extends Range {
  readonly replacement: string;
}

/** `Down` for `Up`, `DOWN` for `UP`. */
const asWritten = (word: string, like: string): string => {
  if (like.toUpperCase() === like) return word.toUpperCase();
  const isCapital = like.charAt(0) !== like.charAt(0).toLowerCase();
  return isCapital ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word;
};

/** `has climbed`: the participle is the same as the past, that of the opposite is not. */
const PERFECT =
  /\b(?:ha(?:s|ve|d)|(?:it|they|we)['’](?:s|ve))(?: (?:also|now|since|already|\w{2,12}ly))? $/iu;
const PARTICIPLES: Readonly<Record<string, string>> = { fell: 'fallen', rose: 'risen', shrank: 'shrunk' };
const LONGEST_PERFECT = 24;

/** The word at this place with the one of the other direction, in the same form. Undefined if there is none. */
export const oppositeAt = (text: string, { start }: Range): Reversal | undefined => {
  const rest = text.slice(start, start + 24);
  const korean = KOREAN_RUN.exec(rest)?.[0];
  if (korean !== undefined) {
    const [stem, opposite] = KOREAN.find(([each]) => korean.startsWith(each)) ?? [];
    if (stem === undefined || opposite === undefined || WITHOUT_OPPOSITE.test(korean)) return undefined;
    const ending = endingBehind(opposite, korean.slice(stem.length));
    return { start, end: start + korean.length, replacement: `${opposite}${ending}` };
  }
  const english = LATIN_RUN.exec(rest)?.[0] ?? '';
  const past = ENGLISH.get(english.toLowerCase());
  if (past === undefined) return undefined;
  const isPerfect = PERFECT.test(text.slice(Math.max(0, start - LONGEST_PERFECT), start));
  const opposite = (isPerfect ? PARTICIPLES[past] : undefined) ?? past;
  const replacement = asWritten(opposite, english);
  const end = start + english.length;
  const article = ARTICLE.exec(text.slice(Math.max(0, start - 4), start))?.[0];
  if (article === undefined || STARTS_WITH_VOWEL.test(english) === STARTS_WITH_VOWEL.test(replacement))
    return { start, end, replacement };
  // `an increase`, `a decrease`.
  const other = STARTS_WITH_VOWEL.test(replacement) ? `${article.charAt(0)}n` : article.charAt(0);
  return { start: start - article.length, end, replacement: `${other} ${replacement}` };
};
