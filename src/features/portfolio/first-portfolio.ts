import type { Locale } from '#src/kernel/locale.ts';
import type { RecordRequest } from '#src/kernel/account-services.ts';
import { currencyNamed } from '#src/language/currencies.ts';
import { namedCurrency } from './record-instrument.ts';
import type { NewPortfolio } from './store-types.ts';

/** What the first portfolio of somebody who named none is called, and kept in. */
export const FIRST_PORTFOLIO: Readonly<Record<Locale, NewPortfolio>> = {
  ko: { name: '기본', baseCurrency: 'KRW' },
  en: { name: 'main', baseCurrency: 'USD' },
};

/** The one that is made for an entry: in the money of a first deposit that names it, else in that of the language. */
export const firstPortfolioFor = (request: RecordRequest, locale: Locale): NewPortfolio => {
  const named = request.kind === 'deposit' ? currencyNamed(namedCurrency(request) ?? '') : undefined;
  const first = FIRST_PORTFOLIO[locale];
  return named && !named.isCoin ? { ...first, baseCurrency: named.code } : first;
};
