import type { SymbolMatch } from '#src/core/finance.ts';
import { stemsOf } from './particles.ts';

/** Grammar, politeness and small talk: words that are never (part of the beginning of) a name. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about an and are at be been bot both bye can check close closed closing cost could current currently day did do ' +
    "does doing down exchange find for from get give go going good got has have hello help here hey hi hm hmm how hows i i'd i'm " +
    'if in inc is it its just know latest let like live look make me many more much my need no now of ok okay on one open opened ' +
    'or perform performed performing please pls plz price prices quote quotes rate rates really right rn say share shares show so some ' +
    'stand stock stocks sure tell than thank thanks that the their them then there these they think this to today ' +
    'too trade traded trading up value versus very vs want was we well were what whats when where which who ' +
    'will with worth would yeah yes yesterday you your ' +
    '각각 그 그거 그것 그래 그러면 그럼 그리고 근데 네 넵 너 다 달러로 대략 대해 대한 도와줘 도움말 둘 둘다 및 뭐 뭐야 부탁해 봇 시간 실시간 ' +
    'ㄱㄱ 아니 아니요 어제 언제 얘 오늘 예 요새 요즘 원 원화 으로 응 이거 이것 이랑 있어 있나요 저 정도 조회 좀 주 주세요 주식 줘 ' +
    '은 는 이 가 을 를 와 과 도 의 에 랑 줄래 지금 지수 최근 하고 하나만 하이 한 한번 해 해줘 현재 혹시 환율'
  ).split(' '),
);
/** Korean verbs and price words, whatever ending they carry. */
const STOP_BEGINNING =
  /^(?:얼마|얼만|얼맙|알려|말해|보여|확인|비교|궁금|언제|그려|찾아|부탁|어때|어떄|어떤|어떻|올랐|내렸|떨어|오르|내리|거래|되나|되고|돼|됐|몇|안녕|반가|고마|고맙|감사|주가|시세|가격|종가|현재가|[ㄱ-ㅎㅏ-ㅣ]+$)/u;

/** Parts of hundreds of names. Alone they name nothing. */
const GENERIC: ReadonlySet<string> = new Set(
  (
    '한국 미국 중국 일본 인도 국내 해외 유럽 기업 회사 은행 증권 보험 반도체 자동차 배터리 바이오 제약 건설 조선 방산 게임 ' +
    '식품 화학 철강 전자 전기 통신 금융 산업 기술 미래 우리 세계 글로벌 코리아 나라 사람 나무 커피 국민 대한 국제 서울 부산 ' +
    '배당 금리 채권 국채 펀드 레버리지 인버스 액티브 선물 원유 ' +
    'america american asia bank bio biotech bond bonds capital china company companies energy europe fund funds global ' +
    'gold group health india japan korea money national oil people power semiconductor silver tech technology world'
  ).split(' '),
);

const JOINING_PARTICLE = /(?:이랑|랑|와|과|하고)$/u;

/** For a name that nobody knows: 하이브는 is 하이브, but 만도 stays whole. */
export const plainNameOf = (word: string): string =>
  stemsOf(word).find((stem) => stem !== word && stem.length > 1) ?? word;

export const isStopWord = (word: string): boolean =>
  stemsOf(word.toLowerCase()).some((reading) => STOP_WORDS.has(reading) || STOP_BEGINNING.test(reading));

export const isGeneric = (word: string): boolean =>
  stemsOf(word.toLowerCase()).some((reading) => GENERIC.has(reading));

/** Whether another name is to follow: `and`, 및, 삼성전자랑. */
export const isJoining = (word: string): boolean =>
  /^(?:and|or|vs|versus|및|그리고|하고|이랑)$/iu.test(word) || JOINING_PARTICLE.test(word);

/** `an apple` is the fruit. */
export const isArticle = (word: string): boolean => /^(?:an?|some|my|your|his|her|our)$/iu.test(word);

/** A ticker or a Korean code, as far as the shape tells. */
export const isCode = (word: string): boolean => /^(?:\$?[A-Z]{2,5}|\d{6})$/u.test(word);

/** One or two letters are a ticker only in capitals: `is`, `at` and `ko` are words. So is a syllable: 델, 부. */
export const isTooShort = (word: string): boolean => /^(?:[a-z]{1,2}|\p{Script=Hangul})$/u.test(word);

/** Whether an unknown word may be a name: not a number (`10주`), not one syllable. */
export const canBeName = (word: string): boolean =>
  isCode(word) || (/\p{L}/u.test(word) && !isTooShort(word) && !/^\d+\p{Script=Hangul}+$/u.test(word));

const KIND_OF_FUND = /^(?:etn|etf)(?:\([a-z]\))?$/iu;

/** Behind Hangul, `ETN` and `ETF` say what kind of fund it is: 코스닥 인버스 ETN does not name Eaton. */
export const isKindOfFund = (word: string, previous: string | undefined): boolean =>
  KIND_OF_FUND.test(word) && /\p{Script=Hangul}/u.test(previous ?? '');

/** Of a Korean note: `신한 레버리지 WTI ETN`. */
const isNoteName = (text: string): boolean =>
  /\p{Script=Hangul}/u.test(text) && /(?<![a-z])etn(?: ?\([a-z]\))?(?: ?[a-z])?$/iu.test(text);

/** Whether these words are one name of a note, although they may fit several, or only nearly one. */
export const meansNote = (text: string, match: SymbolMatch): boolean => {
  if (!isNoteName(text) || match.status !== 'unknown') return isNoteName(text);
  return match.suggestions.length > 0 && match.suggestions.every(({ name }) => isNoteName(name.ko));
};
