import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { type Decimal, RateDecimal } from '#src/kernel/money.ts';
import { currencyAtStart, currencyNamed, type KnownCurrency } from '#src/reading/currencies.ts';
import { numbersIn } from '#src/reading/numbers.ts';
import { stemsOf } from '#src/reading/particles.ts';

/** The arguments of `/fx`, as far as they were understood. */
export type ReadConversion =
  | {
      readonly status: 'read';
      /** Absent where a rate is asked for. */
      readonly amount?: Decimal;
      readonly from?: KnownCurrency;
      readonly to?: KnownCurrency;
    }
  | { readonly status: 'unknown'; readonly word: string }
  /** More than two currencies. */
  | { readonly status: 'unclear' };

/** Finds a coin by name; undefined if there is none. */
type CoinNamed = (typed: string) => KnownCurrency | undefined;

const COIN_DECIMALS = 8;

/** Finds every coin that the index has. */
export const coinsIn =
  (symbols: Pick<SymbolSearch, 'resolve'>): CoinNamed =>
  (typed) => {
    const match = symbols.resolve(`${typed} coin`);
    if (match.status !== 'found' || match.instrument.assetClass !== 'crypto') return undefined;
    const { ticker, name } = match.instrument;
    return { code: ticker.replace('/KRW', ''), name, isCoin: true, decimals: COIN_DECIMALS };
  };

/** A word that names a currency, or says which way. */
interface Word {
  readonly currency: KnownCurrency | null;
  readonly text: string;
  /** The amount stands right before it (`100달러`) or behind it (`$100`). */
  readonly isAmounts: boolean;
  /** It ends in 로 or 으로: convert into this one. */
  readonly isTarget: boolean;
}

/** Words without meaning for a conversion. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    'from convert exchange rate how much many is are what whats the a an of per please worth equal equals there now today ' +
    '환율 환전 계산 변환 환산 환산하면 환전하면 바꾸면 바꿔줘 바꿔 얼마 얼마야 얼마예요 얼마에요 얼마인가요 얼마지 얼마임 얼마나 몇 되나 되나요 돼 될까 ' +
    '은 는 이 가 을 를 면 이면 좀 해줘 알려줘 개 지금 오늘 현재 그럼'
  ).split(' '),
);
const TO_WORDS: ReadonlySet<string> = new Set(['to', 'in', 'into', '->', '→', '=', '로', '으로']);
const PARTICLE =
  /^(으로|로|에서|에요|에|은|는|을|를|이야|이에요|인가요|이지|이|가|의|면|이면|당|환율|환전|화|짜리|어치|정도|야|예요|임|요)/;
const MARKS = /[/,?~:|>=-]+/g;

const wordAt = (text: string): string => /^[^\s\d/,?~:|>=→-]+/u.exec(text)?.[0] ?? '';

const MAX_NAME_WORDS = 3;

/** `hong kong dollar` and `홍콩 달러` are one name each. */
const withNamesJoined = (words: readonly string[]): readonly string[] => {
  const joined: string[] = [];
  for (let at = 0; at < words.length;) {
    const runs = Array.from({ length: MAX_NAME_WORDS - 1 }, (_, index) =>
      words.slice(at, at + MAX_NAME_WORDS - index),
    );
    const run =
      runs.find((each) => each.length > 1 && currencyNamed(each.join(''))) ?? words.slice(at, at + 1);
    joined.push(run.join(''));
    at += run.length;
  }
  return joined;
};

const coinIn = (word: string, coinNamed: CoinNamed): Omit<Word, 'isAmounts'> => {
  for (const stem of stemsOf(word)) {
    const currency = coinNamed(stem);
    if (currency) return { currency, text: stem, isTarget: stem !== word && word.endsWith('로') };
  }
  return { currency: null, text: word, isTarget: false };
};

/** Several names may be written as one word (`usdkrw`, `달러원`), with a Korean particle at the end. */
const namesIn = (word: string, coinNamed: CoinNamed): readonly Omit<Word, 'isAmounts'>[] => {
  const whole = currencyNamed(word);
  if (whole) return [{ currency: whole, text: word, isTarget: false }];
  const names: Omit<Word, 'isAmounts'>[] = [];
  for (let rest = word; rest !== '';) {
    const found = currencyAtStart(rest.toLowerCase());
    const particle = PARTICLE.exec(rest)?.[0];
    const last = names.at(-1);
    if (found) {
      names.push({ currency: found.currency, text: rest.slice(0, found.length), isTarget: false });
      rest = rest.slice(found.length);
    } else if (particle !== undefined && last) {
      names[names.length - 1] = { ...last, isTarget: last.isTarget || particle.endsWith('로') };
      rest = rest.slice(particle.length);
    } else return [coinIn(word, coinNamed)];
  }
  return names;
};

interface Scan {
  readonly amount?: Decimal;
  readonly words: readonly Word[];
}

const wordsOf = (part: string, coinNamed: CoinNamed): readonly Word[] =>
  withNamesJoined(
    part
      .replaceAll(/->|→/g, ' to ')
      .replaceAll(MARKS, ' ')
      .split(/\s+/)
      .filter((word) => word !== '' && !FILLERS.has(word.toLowerCase())),
  ).flatMap((word) =>
    TO_WORDS.has(word.toLowerCase())
      ? [{ currency: null, text: 'to', isAmounts: false, isTarget: true }]
      : namesIn(word, coinNamed).map((name) => ({ ...name, isAmounts: false })),
  );

/** A number belongs to the currency that touches it; a sign before it comes first: `$100`, `100달러`. */
const scan = (text: string, coinNamed: CoinNamed): Scan => {
  const [number = null] = numbersIn(text);
  const at = number?.start ?? 0;
  const before = number ? text.slice(0, at) : text;
  // The counter in `0.5개` names nothing.
  const behind = number ? text.slice(number.end).replace(/^\s*개/, ' ') : '';
  const left = wordsOf(before, coinNamed);
  const right = wordsOf(behind, coinNamed);
  const touches = number !== null && /[^\s-]$/.test(before) ? left.length - 1 : -1;
  // In `how many won is 50 bucks` the currency before the amount is the target, but not in `usd 100 krw`.
  const wordBefore = before.trimEnd().split(/\s/u).at(-1) ?? '';
  const isNamedBefore = (currencyNamed(wordBefore) ?? coinNamed(wordBefore)) !== undefined;
  const isTouched =
    number !== null && touches < 0 && wordAt(isNamedBefore ? behind : behind.trimStart()) !== '';
  return {
    ...(number && { amount: new RateDecimal(number.value).times(/(?:^|\s)-$/.test(before) ? -1 : 1) }),
    words: [
      ...left.map((word, index) => (index === touches ? { ...word, isAmounts: true } : word)),
      ...right.map((word, index) => (isTouched && index === 0 ? { ...word, isAmounts: true } : word)),
    ],
  };
};

const isTo = (word: Word | undefined): boolean => word?.currency === null && word.isTarget;

/** `to` before a name makes it the target, as a particle does. */
const targeted = (words: readonly Word[]): readonly Word[] =>
  words.flatMap((word, index) => {
    const previous = words[index - 1];
    if (isTo(word)) return [];
    return [isTo(previous) ? { ...word, isTarget: true } : word];
  });

/** 원/달러 means won per dollar, so without an amount the dollar is converted. */
const isWonPer = (text: string): boolean => /^\s*원\s*(?:[/·-]\s*)?[가-힣]/u.test(text);

/** Reads `100 usd krw`, `100달러 원`, `1만 엔을 원으로`, `usd/krw` or `$100 to won`. */
export const readConversion = (typed: string, coinNamed: CoinNamed = () => undefined): ReadConversion => {
  const text = typed.normalize('NFKC').trim();
  const { amount, words: scanned } = scan(text, coinNamed);
  const words = targeted(scanned);
  const unknown = words.find(({ currency }) => currency === null);
  if (unknown) return { status: 'unknown', word: unknown.text };
  const source = words.find(({ isAmounts }) => isAmounts) ?? words.find(({ isTarget }) => !isTarget);
  const others = words.filter((word) => word !== source);
  const target = others.find(({ isTarget }) => isTarget) ?? others[0];
  if (others.length > 1) return { status: 'unclear' };
  const [from, to] = [source?.currency, target?.currency];
  const isSwapped = amount === undefined && from?.code === 'KRW' && to && isWonPer(text);
  const pair = isSwapped ? [to, from] : [from, to];
  return {
    status: 'read',
    ...(amount !== undefined && { amount }),
    ...(pair[0] && { from: pair[0] }),
    ...(pair[1] && { to: pair[1] }),
  };
};
