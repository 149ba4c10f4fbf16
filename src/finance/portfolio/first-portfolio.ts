import type { Locale } from '#src/core/i18n.ts';
import type { NewPortfolio } from '#src/storage/portfolios.ts';

/** What the first portfolio of somebody who named none is called, and kept in. */
export const FIRST_PORTFOLIO: Readonly<Record<Locale, NewPortfolio>> = {
  ko: { name: '기본', baseCurrency: 'KRW' },
  en: { name: 'main', baseCurrency: 'USD' },
};
