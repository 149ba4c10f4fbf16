import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { Currency } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { marketTexts } from './market-texts.ts';
import { withoutCompanyForm } from './narrow-name.ts';

const LOCALES: readonly Locale[] = ['ko', 'en'];
/** Behind a name: its currency, its unit, its abbreviation. */
const ASIDE = / \([^()]{1,30}\)$/u;
/** People leave these out: they say gold, not gold futures. */
const LEFT_OUT = / (?:선물|지수|금리|futures|composite|index|yield)$/iu;

const distinct = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name) => name !== '')),
];

/** `달러`, `dollar`. Of several currencies with one word, the bare word means the American one. */
const shortWord = (code: Currency, locale: Locale): string => {
  const whole = currencyNamed(code)?.name[locale] ?? code;
  const last = whole.split(' ').at(-1) ?? whole;
  const isShared = /^(?:달러|dollar|페소|peso|크로네|krone)$/u.test(last) && code !== 'USD';
  return isShared ? whole : last;
};

/** What people call an exchange rate: `USD/KRW`, `원/달러`, `달러 환율`, `dollar`. */
export const namesOfPair = (of: Currency, inCurrency: Currency): readonly string[] => {
  const [ko, inKo] = [shortWord(of, 'ko'), shortWord(inCurrency, 'ko')];
  const [en, inEn] = [shortWord(of, 'en'), shortWord(inCurrency, 'en')];
  return distinct([
    `${of}/${inCurrency}`,
    ...['/', '·', '-', ''].map((sign) => `${inKo}${sign}${ko}`),
    ...['/', ''].map((sign) => `${ko}${sign}${inKo}`),
    `${ko} 환율`,
    `${en}/${inEn}`,
    en.toLowerCase(),
  ]);
};

const PAIR = /^(?<of>[A-Z]{3})\/(?<inCurrency>[A-Z]{3})$/u;

/** What people call an instrument: names in both languages, whole and short, and its code. */
export const namesOf = ({ symbol, ticker, name, assetClass }: Instrument): readonly string[] => {
  const { of, inCurrency } = (assetClass === 'fx' ? PAIR.exec(ticker)?.groups : undefined) ?? {};
  if (of !== undefined && inCurrency !== undefined)
    return distinct([...LOCALES.map((locale) => name[locale]), ...namesOfPair(of, inCurrency)]);
  const short = LOCALES.flatMap((locale) => marketTexts(locale).overview.short[symbol] ?? []);
  const names = LOCALES.flatMap((locale) => {
    const whole = name[locale].replace(ASIDE, '');
    const bare = withoutCompanyForm(whole);
    return [whole, bare, bare.replace(LEFT_OUT, '')];
  });
  return distinct([...names, ...short, ticker.split('/')[0] ?? ticker]);
};

/** What people call two instruments together: `AAPL/MSFT`, `애플·마이크로소프트`. */
export const namesOfBoth = (one: Instrument, other: Instrument): readonly string[] =>
  distinct([
    `${one.ticker}/${other.ticker}`,
    ...LOCALES.map((locale) => [one, other].map(({ name }) => withoutCompanyForm(name[locale])).join('·')),
  ]);

/** Facts about one subject. The first says what people call it. */
export const withNames = (names: readonly string[], [first, ...rest]: readonly Fact[]): readonly Fact[] =>
  first ? [names.length > 0 ? { ...first, names } : first, ...rest] : [];
