import { z } from 'zod';
import { action, defineAbility, limited, names, option } from '#src/features/ability.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { EarningsQueries } from './earnings.ts';

const MAX_SYMBOLS = 10;

export const earnings = defineAbility({
  queries: { earnings: async () => (await import('./earnings.ts')).earningsAnswer },
  name: 'earnings',
  aliases: ['실적', '실적발표'],
  description: {
    ko: '기업의 다음 실적 발표 일정을 보여 줍니다',
    en: 'when companies report earnings',
  },
  usage: { ko: '/earnings 엔비디아', en: '/earnings NVDA' },
  concern: 'market',
  actions: {
    dates: action({
      input: {
        symbols: {
          input: () =>
            z
              .array(nameInput())
              .max(MAX_SYMBOLS)
              .default([])
              .describe(
                'Names, tickers or codes, e.g. ["엔비디아", "AAPL"]; leave out for the biggest companies',
              ),
          option: option('symbol', '종목', {
            ko: '기업 이름이나 코드 (쉼표로 여러 개), 비우면 주요 기업',
            en: 'name or code of a company; separate several with commas; empty for the biggest ones',
            suggest: 'symbol',
          }),
          read: names(MAX_SYMBOLS),
          refuse: limited({ most: MAX_SYMBOLS, texts: (locale) => marketTexts(locale).earnings }),
        },
      },
      run: ({ symbols: queries }, { markets }: { readonly markets: EarningsQueries }, who, signal) =>
        markets.earnings({ queries }, who, signal),
      progress: (_input, locale) => marketTexts(locale).progress.earnings(),
      tool: {
        name: 'get_earnings_calendar',
        description: [
          'Get when companies report their next quarterly results, with the EPS that analysts expect where it is',
          'known. Use it when the user asks for earnings dates, 실적 발표 or who reports soon. Without symbols it covers',
          'the biggest Korean and US companies, not the whole market: say so. A date that is called estimated has not',
          'been confirmed by the company: call it estimated too. Dates are in the calendar of the exchange. Repeat',
          'source and as-of; a company without a date in the result has none that is known.',
        ],
        isExternal: true,
      },
    }),
  },
});

export type { EarningsQueries } from './earnings.ts';
