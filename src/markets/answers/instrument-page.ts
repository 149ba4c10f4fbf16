import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';

/** `005930.KS`, `0003K0.KQ`. */
const KOREAN_SHARE = /^([0-9A-Z]{6})\.K[SQN]$/u;
/** `AAPL`, `^GSPC`, `BRK-B`, `BTC-USD`, `USDKRW=X`, `0700.HK`. */
const SYMBOL = /^\^?[A-Z0-9]{1,20}(?:[.=-][A-Z0-9]{1,12}){0,2}$/u;

/**
 * The public page of an instrument as the link of a card or field: Naver for Korean shares in Korean, Yahoo Finance for all
 * others. Both need no account. A symbol of another form has no link, because nothing is known about its page.
 */
export const pageLink = (
  { symbol }: Pick<Instrument, 'symbol'>,
  locale: Locale,
): { readonly url?: string } => {
  const code = KOREAN_SHARE.exec(symbol)?.[1];
  if (code !== undefined && locale === 'ko')
    return { url: `https://finance.naver.com/item/main.naver?code=${encodeURIComponent(code)}` };
  return SYMBOL.test(symbol) ? { url: `https://finance.yahoo.com/quote/${encodeURIComponent(symbol)}` } : {};
};
