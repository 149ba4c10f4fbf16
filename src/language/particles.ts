/** Korean ties words together with endings. They say nothing about the word itself. */

const PARTICLE =
  '(?:으로부터|로부터|에게서|이라도|이나마|에서|에게|한테|으로|부터|까지|보다|처럼|마다|이랑|하고|이나|에|로|을|를|이|가|은|는|의|도|만|나|과|와|랑|씩|요)';

/** Up to two of them: `71,000원까지만`, `10주씩을`. */
const PARTICLES_AT = new RegExp(`${PARTICLE}{1,2}(?!\\p{L})`, 'uy');
const AT_END = new RegExp(`${PARTICLE}{1,2}$`, 'u');
const ONE_AT_END = new RegExp(`${PARTICLE}$`, 'u');

/** Verbs, comparisons and nouns that people glue to an amount: `10주샀어`, `8만원이상`, `5만원어치`. */
const GLUED_AT =
  /(?:어치|치(?!\p{L})|짜리|쯤|정도|가량|남짓|이상|이하|미만|초과|넘|돌파|도달|되면|될|됐|위|아래|밑|깨|찍|뚫|터치|붕괴|회복|진입|안착|이탈|유지|달성|가면|가나|갈까|갈(?!\p{L})|갔|오르|올라|올랐|빠지|빠졌|급등|급락|폭등|폭락|손실|손해|수익|이익|송금|이체|보내|썼|내리|내려|떨어|하락|상승|이면|면(?!\p{L})|일\s?때|일때|입니다|이다|이야|야|이에요|예요|이고|임(?!\p{L})|인데|인가|인지|밖에|뿐|샀|사서|사고|사줘|살게|살까|팔|매수|매도|매입|구매|구입|보유|담|추가|처분|익절|손절|주고|들고|가지고|갖고|있|남|환전|입금|출금|투자|넣|받|냈|벌|잃|규모|증가|감소|근처|수준|안팎|전후|대비|기준|목표|이었|였|때|시(?!\p{L})|당(?!\p{L})|대(?!\p{L})|선(?!\p{L})|선에|선을|선이|대에|대로|대를|대가)/uy;

const HANGUL = /\p{Script=Hangul}/u;

const matchesAt = (pattern: RegExp, text: string, at: number): boolean => {
  const sticky = pattern;
  sticky.lastIndex = at;
  return sticky.test(text);
};

/**
 * Whether a Korean word that ends here is whole: `원` in `71000원에` is, in `10 원익` it is not. What follows is no
 * Hangul, a particle, or something that people glue to amounts.
 */
export const isWordEnd = (text: string, at: number): boolean =>
  !HANGUL.test(text.charAt(at)) || matchesAt(PARTICLES_AT, text, at) || matchesAt(GLUED_AT, text, at);

/**
 * What a word may be without its particles, the longest first and the word itself included: `삼성전자를` is 삼성전자,
 * `카카오` stays. Which of them is a name is for the reader of names to say.
 */
export const stemsOf = (word: string): readonly string[] => {
  const stems = [word, word.replace(ONE_AT_END, ''), word.replace(AT_END, '')];
  return [...new Set(stems)].filter((stem) => stem !== '').toSorted((a, b) => b.length - a.length);
};
