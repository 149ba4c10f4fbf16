import { isOrdinaryWord } from '#src/reading/name-words.ts';
import { primaryListings, type SymbolIndex } from './symbol-index.ts';
import { isLatin, isSyllableEnd, type QueryForm } from './symbol-key.ts';

/** Words that do not distinguish companies: without them a name still means the same one. */
const INDISTINCTIVE_WORDS: ReadonlySet<string> = new Set(
  (
    'technologies technology systems platforms group holdings holding international markets communications ' +
    'interactive pharmaceuticals pharmaceutical pharma therapeutics biotherapeutics biopharma sciences bioscience ' +
    'biosciences software networks network enterprises industries solutions labs laboratories brands ' +
    'financial bancorp bancshares energy resources semiconductor semiconductors electronics motors motor robotics ' +
    'health healthcare medical airlines airways hotels worldwide global wholesale stores restaurants devices data gaming ' +
    'com ads adr class subordinate voting common units ordinary shares new old sa nv ag se lp spa asa ab as'
  ).split(' '),
);

const isIndistinctive = (word: string): boolean => word.length === 1 || INDISTINCTIVE_WORDS.has(word);

/** Prefixes that are words, places or companies of their own: 레인보우 or 텐센트 need not mean 레인보우로보틱스 or 텐센트뮤직. */
const ORDINARY_PARTS: ReadonlySet<string> = new Set(
  (
    '네이처 네트워크 디지털 레인보우 로보틱스 리미티드 메디컬 모바일 바이오 반도체 베트남 브라질 비스트 사이언스 서비스 세일즈 ' +
    '소프트 스노우 스위스 스튜디오 스트리트 스페이스 시스템 시프트 실리콘 싱가포르 아메리카 아메리칸 아시아 아일랜드 에너지 ' +
    '에이프릴 엔진 오스트레일리아 오토모티브 유나이티드 유니버설 이노베이션 이탈리아 인도네시아 인터내셔널 인터넷 인튜이티브 ' +
    '인프라 제너럴 지역난방 캐나다 캐피탈 캐피털 커뮤니케이션 코리아 코리안 코스트 크라우드 크레딧 클라우드 클래시 ' +
    '테크놀로지 텍사스 텐센트 퍼스트 파이낸셜 파이버 파라다이스 프랑스 프로덕츠 필리핀 한국금융 한국조선 한국항공 웨스턴 홀딩스 ' +
    'analog arrowhead bentley burlington carpenter charter chime cincinnati dear element encompass ensign equitable expand ' +
    'ferguson guidewire kona lattice madrigal magna mohawk oscar primo prosperity protagonist rainbow restaurant twist viper'
  ).split(' '),
);

const isOrdinaryPart = (text: string): boolean => ORDINARY_PARTS.has(text);

/** Countries and cities many names start with; alone they name nothing. */
const PLACES: ReadonlySet<string> = new Set(
  (
    '홍콩 도쿄 런던 일본 중국 대만 인도 베트남 태국 호주 유럽 독일 영국 프랑스 스위스 스페인 이탈리아 네덜란드 캐나다 멕시코 ' +
    '브라질 러시아 폴란드 노르웨이 스웨덴 싱가포르 필리핀 인도네시아 말레이시아 뉴질랜드 사우디 튀르키예 차이나 ' +
    'tokyo london japan china india brazil europe germany vietnam'
  ).split(' '),
);

export const isPlace = (text: string): boolean => PLACES.has(text);

interface PartialMatches {
  /** Names with this prefix, best known first. */
  readonly starting: readonly number[];
  /** The names of `starting` whose prefix ends at a word (in Hangul, a syllable) boundary. */
  readonly whole: readonly number[];
  /** Names that contain the query elsewhere. Short queries must match the start of the first word. */
  readonly containing: readonly number[];
  /** The instrument of `whole` that the query identifies. */
  readonly identified: number | undefined;
}

const MIN_LATIN_PART = 4;
/** A partial name identifies only well-known companies: `stock` is not Stock Yards Bancorp. */
const WELL_KNOWN = 2_000;
const MIN_PART = 2;
/** Shorter parts are often everyday words: 아마, 호텔. */
const MIN_DISTINCTIVE_SYLLABLES = 3;

/** Up to three Latin letters: a group's prefix (`KB`, `SNT`) or a ticker. */
export const isShortPrefix = ({ text, letters }: QueryForm): boolean =>
  isLatin(letters) && text.length < MIN_LATIN_PART;

/** A Latin match must start a word, a Hangul match must end a syllable. */
const isAtBoundary = (index: SymbolIndex, letters: string, place: number): boolean =>
  isLatin(letters) ? index.isWordStart(place) : isSyllableEnd(index.keys, place + letters.length);

/** True if a Latin word ends before this position: `kb` in `KB금융`, not in `Kbridge`. */
const isWordEnd = (index: SymbolIndex, place: number): boolean =>
  index.isWordStart(place) || !isLatin(index.keys.charAt(place));

/** The words of a name after this position. */
const wordsAfter = (index: SymbolIndex, place: number, end: number): readonly string[] => {
  const words: string[] = [];
  let start = place;
  for (let next = place + 1; next <= end; next += 1) {
    if (next < end && !index.isWordStart(next)) continue;
    words.push(index.keys.slice(start, next));
    start = next;
  }
  return words;
};

/**
 * True if the query identifies the whole name and is not a word of its own. In Latin, the rest must be indistinctive
 * (`palantir` of Palantir Technologies, not `tencent` of Tencent Music). In Hangul, the query must be at least half
 * of the name.
 */
const isDistinctiveAt = (
  index: SymbolIndex,
  { text, letters }: QueryForm,
  place: number,
  key: number,
): boolean => {
  const [from, end] = [place + letters.length, (index.starts[key + 1] ?? 0) - 1];
  if (isOrdinaryPart(text) || isOrdinaryWord(text)) return false;
  if (isLatin(letters)) return wordsAfter(index, from, end).every(isIndistinctive);
  return text.length >= MIN_DISTINCTIVE_SYLLABLES && letters.length * 2 >= end - place;
};

/** Drops funds if there is a company: `goldman sachs` is the bank, not a fund it issues. */
const dropFunds = (index: SymbolIndex, instruments: readonly number[]): readonly number[] => {
  const others = instruments.filter((each) => index.instrumentAt(each).assetClass !== 'etf');
  return others.length > 0 ? others : instruments;
};

/**
 * The instrument a partial name identifies: the only match, a well-known company, and not part of a better-known
 * name.
 */
const identifiedBy = (
  index: SymbolIndex,
  { letters }: QueryForm,
  {
    whole,
    containing,
    distinctive,
  }: Record<'whole' | 'containing', readonly number[]> & {
    readonly distinctive: ReadonlySet<number>;
  },
): number | undefined => {
  const [first, ...others] = whole;
  if (first === undefined || others.length > 0 || first >= WELL_KNOWN || !distinctive.has(first))
    return undefined;
  // A fund named after the company is not a competing match.
  const elsewhere = containing.find((each) => index.instrumentAt(each).assetClass !== 'etf') ?? Infinity;
  const isElsewhere = elsewhere < (isLatin(letters) ? first : Infinity);
  return isElsewhere || index.instrumentAt(first).assetClass !== 'equity' ? undefined : first;
};

/** Names that contain the query. Parts of codes do not count. A list of `limit` entries may be incomplete. */
export const partialMatches = (index: SymbolIndex, form: QueryForm, limit: number): PartialMatches => {
  const { text, letters } = form;
  const [starting, whole, containing, distinctive] = [
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
    new Set<number>(),
  ];
  if (text.length < MIN_PART) return { starting: [], whole: [], containing: [], identified: undefined };
  const isShort = isShortPrefix(form);
  const pattern = isShort ? `|${letters}` : letters;
  const shift = isShort ? 1 : 0;
  let found = index.keys.indexOf(pattern);
  while (found !== -1 && (starting.size < limit || containing.size < limit)) {
    const place = found + shift;
    const key = index.keyAt(place);
    const owner = index.owners[key] ?? 0;
    if (!index.isCode(key) && isAtBoundary(index, letters, place)) {
      const isWhole = !isLatin(letters) || isWordEnd(index, place + letters.length);
      const isStart = index.starts[key] === place && (!isShort || isWhole);
      const group = isStart ? starting : containing;
      if (group.size < limit) group.add(owner);
      if (isStart && isWhole && whole.size < limit) whole.add(owner);
      if (isStart && isWhole && isDistinctiveAt(index, form, place, key)) distinctive.add(owner);
    }
    found = index.keys.indexOf(pattern, found + 1);
  }
  const inside = primaryListings(
    index,
    [...containing].filter((owner) => !starting.has(owner)),
  );
  const words = dropFunds(index, primaryListings(index, [...whole]));
  return {
    starting: dropFunds(index, primaryListings(index, [...starting])),
    whole: words,
    containing: inside,
    identified: identifiedBy(index, form, { whole: words, containing: inside, distinctive }),
  };
};
