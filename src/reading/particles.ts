import { isHangul } from './characters.ts';
import { endAt } from './reading.ts';

/** Korean particles: suffixes that are not part of the word itself. */

/** The sound before a particle: `은` follows a consonant, `는` a vowel. */
type After = 'consonant' | 'vowel' | 'any';

const PARTICLES: Readonly<Record<After, readonly string[]>> = {
  consonant: '으로부터 이라도 이나마 이라는 으로 이랑 이나 은 이 을 과'.split(' '),
  vowel: '는 가 를 와 랑 나'.split(' '),
  any: '로부터 에게서 라는 에서 에게 한테 부터 까지 보다 처럼 마다 하고 에 로 의 도 만 씩 요'.split(' '),
};
/** Endings that turn a name into a sentence. */
const COPULAS: readonly string[] = ['입니다', '이고'];
/** Longest first, so that `으로` is not read as `로`. */
const BY_LENGTH = Object.values(PARTICLES)
  .flat()
  .toSorted((a, b) => b.length - a.length);
const PARTICLE = `(?:${BY_LENGTH.join('|')})`;

/** Up to two particles: `71,000원까지만`, `10주씩을`. */
const PARTICLES_AT = new RegExp(`${PARTICLE}{1,2}(?!\\p{L})`, 'uy');

/** Words that people attach to an amount: `10주샀어`, `8만원이상`, `5만원어치`. */
const GLUED_AT =
  /(?:어치|치(?!\p{L})|짜리|꼴|쯤|정도|가량|남짓|이상|이하|미만|초과|넘|돌파|도달|되면|될|됐|위|아래|밑|깨|찍|뚫|터치|붕괴|회복|진입|안착|이탈|유지|달성|가면|가나|갈까|갈(?!\p{L})|갔|오르|올라|올랐|빠지|빠졌|급등|급락|폭등|폭락|손실|손해|수익|이익|송금|이체|보내|썼|내리|내려|떨어|하락|상승|이면|면(?!\p{L})|일\s?때|일때|입니다|이다|이야|야|이에요|예요|이고|임(?!\p{L})|인데|인가|인지|밖에|뿐|샀|사서|사고|사줘|살게|살까|팔|매수|매도|매입|구매|구입|보유|담|추가|처분|익절|손절|주고|들고|가지고|갖고|있|남|환전|입금|출금|투자|넣|받|냈|벌|잃|규모|증가|감소|근처|수준|안팎|내외|언저리|가까이|초반|중반|후반|전후|대비|기준|목표|이었|였|때|시(?!\p{L})|당(?!\p{L})|대(?!\p{L})|선(?!\p{L})|선[에을이은도의까부]|대에|대로|대를|대가|(?:이?며|고|이?지만|이?라서|이?라면|이?므로|이?니까?|이?라(?=[ ,]))(?!\p{L}))/uy;

/** Endings that make a question or a remark of an amount: `20만원이지?`, `30배라던데`, `15만원대야`, `200달러인 거지`. */
const SAID_AT =
  /대?(?:이?(?:지요?(?!\p{L})|죠|잖아|라던|라며|라고|라네|라는|라[구길]|래요?(?!\p{L})|란(?!\p{L})|냐|네요?(?!\p{L})|구나|군요?(?!\p{L})|더라|던데|거든|겠)|이던|이신|입니까|일까|일\s?텐데|인(?!\p{L})|인[거건걸듯줄])|대(?:야|예요|입니다|이다|이에요|인데|인가|인지|는|도|부터|까지|의|이?고|이?지만)(?!\p{L})|맞(?:지|아|나|죠|습)/uy;

/**
 * True if a Korean word ends here: `원` in `71000원에`, but not in `10 원익`. It may be followed by a particle or by a
 * word that people attach to amounts.
 */
export const isWordEnd = (text: string, at: number): boolean =>
  !isHangul(text.charCodeAt(at)) ||
  endAt(PARTICLES_AT, text, at) !== undefined ||
  endAt(GLUED_AT, text, at) !== undefined ||
  endAt(SAID_AT, text, at) !== undefined;

const FIRST_SYLLABLE = 0xac00;
const FINALS = 28;

const finalOf = (syllable: string): number => (syllable.charCodeAt(0) - FIRST_SYLLABLE) % FINALS;

/** True if a Hangul syllable ends in a consonant. */
export const hasFinalConsonant = (syllable: string): boolean => finalOf(syllable) !== 0;

const follows = (stem: string, after: After): boolean => {
  if (stem === '') return false;
  if (after === 'any' || !/[가-힣]$/u.test(stem)) return true;
  return hasFinalConsonant(stem.slice(-1)) === (after === 'consonant');
};

const ENDINGS: readonly (readonly [ending: string, after: After])[] = [
  ...(Object.entries(PARTICLES) as readonly (readonly [After, readonly string[]])[]).flatMap(
    ([after, endings]) => endings.map((ending) => [ending, after] as const),
  ),
  ...COPULAS.map((ending) => [ending, 'any'] as const),
  ["'s", 'any'],
];

const withoutOne = (word: string): readonly string[] =>
  ENDINGS.flatMap(([ending, after]) => {
    const stem = word.endsWith(ending) ? word.slice(0, -ending.length) : '';
    return follows(stem, after) ? [stem] : [];
  });

/**
 * Possible stems of a word, longest first, including the word itself: `삼성전자를` → 삼성전자, `애플은요` → 애플, `카카오` stays. The
 * caller decides which is a name.
 */
export const stemsOf = (word: string): readonly string[] => {
  const once = withoutOne(word);
  const stems = new Set([word, ...once, ...once.flatMap(withoutOne)]);
  return [...stems].filter((stem) => stem !== '').toSorted((a, b) => b.length - a.length);
};
