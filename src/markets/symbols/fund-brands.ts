/** A brand of Korean funds with its other spellings and former names. */
interface FundBrand {
  readonly brand: string;
  readonly spellings: readonly string[];
  /** Everyday words that count only if the whole query becomes a fund's name. */
  readonly words: readonly string[];
}

const BRANDS: readonly FundBrand[] = [
  { brand: 'KODEX', spellings: ['코덱스', '코댁스'], words: [] },
  { brand: 'TIGER', spellings: ['타이거'], words: [] },
  { brand: 'ACE', spellings: ['KINDEX', '킨덱스'], words: ['에이스'] },
  { brand: 'RISE', spellings: ['KBSTAR', 'KB스타', '케이비스타'], words: ['라이즈'] },
  { brand: 'PLUS', spellings: ['ARIRANG'], words: ['플러스', '아리랑'] },
  { brand: 'SOL', spellings: [], words: ['솔', '쏠', 'SMART', '스마트'] },
  { brand: 'KIWOOM', spellings: ['KOSEF', '코세프'], words: ['키움', '히어로즈'] },
  { brand: 'HANARO', spellings: [], words: ['하나로'] },
  { brand: 'TIME', spellings: ['TIMEFOLIO', '타임폴리오'], words: ['타임'] },
  { brand: 'KoAct', spellings: ['코액트'], words: [] },
  { brand: '1Q', spellings: ['KTOP', '원큐'], words: [] },
  { brand: 'WON', spellings: [], words: ['우리'] },
  { brand: 'UNICORN', spellings: [], words: ['유니콘'] },
  { brand: 'FOCUS', spellings: [], words: ['포커스'] },
];

/** `2배` is written `2X` in the names of funds, and `에스앤피` `S&P`. */
const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, '')
    .replace(/(?<=[1-4])배$/u, 'x')
    .replace('에스앤피', 's&p');

interface Spelling {
  /** As a query begins with it. */
  readonly start: string;
  /** `current` is not replaced. `possible` counts only if the whole query becomes the name of a fund. */
  readonly kind: 'current' | 'certain' | 'possible';
}

const SPELLINGS: readonly { readonly brand: string; readonly spellings: readonly Spelling[] }[] = BRANDS.map(
  ({ brand, spellings, words }) => ({
    brand,
    spellings: [
      { start: normalized(brand), kind: 'current' },
      ...spellings.map((each) => ({ start: normalized(each), kind: 'certain' }) as const),
      ...words.map((each) => ({ start: normalized(each), kind: 'possible' }) as const),
    ],
  }),
);

/** Names of US indices, before which people leave out 미국. */
const AMERICAN_INDEX = /^(?:s&p|나스닥|다우|배당다우|빅테크|테크|필라델피아|러셀)/u;

const PLACE_FIRST = /^(도쿄|홍콩|런던)(.+)$/u;

/** `홍콩 알리바바` → `알리바바 (홍콩)`. */
const moveCityToEnd = (text: string): readonly string[] => {
  const [, place, rest] = PLACE_FIRST.exec(text) ?? [];
  return place === undefined || rest === undefined ? [] : [`${rest} ${place}`];
};

interface BrandReadings {
  /** Queries with the brand's current spelling. */
  readonly certain: readonly string[];
  /** Queries that count only as the full name of a fund. */
  readonly possible: readonly string[];
}

/** A partial query with the brand's current spelling. */
export const completeBrand = (typed: string): readonly string[] => {
  const text = normalized(typed);
  return SPELLINGS.flatMap(({ brand, spellings }) =>
    spellings.flatMap(({ start, kind }) =>
      kind !== 'current' && text.startsWith(start) ? [`${brand}${text.slice(start.length)}`] : [],
    ),
  );
};

/**
 * `코덱스 200` → `KODEX 200`, `KBSTAR 200` → `RISE 200`, `타이거 S&P500` → `TIGER 미국S&P500`. A brand alone matches no
 * fund.
 */
export const brandReadings = (query: string): BrandReadings => {
  const text = normalized(query);
  const [certain, possible]: [string[], string[]] = [[], [...moveCityToEnd(text)]];
  for (const { brand, spellings } of SPELLINGS) {
    for (const { start, kind } of spellings) {
      const rest = text.startsWith(start) ? text.slice(start.length) : '';
      if (rest === '') continue;
      if (kind !== 'current') (kind === 'certain' ? certain : possible).push(`${brand} ${rest}`);
      if (AMERICAN_INDEX.test(rest)) possible.push(`${brand} 미국${rest}`);
    }
  }
  return { certain, possible };
};
