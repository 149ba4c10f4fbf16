import { z } from 'zod';
import { action, defineAbility, option } from '#src/features/ability.ts';
import { shortened } from '#src/kernel/text.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import { datesIn, SOME_DAY } from '#src/reading/dates.ts';
import { withoutReadings } from '#src/reading/reading.ts';
import type { HoursQueries } from './hours.ts';

const MAX_NAME_LENGTH = 60;
const MAX_DATE_LENGTH = 30;

const said = (most: number, description: string) => () =>
  z.string().min(1).max(most).optional().describe(description);

export const hours = defineAbility({
  queries: { hours: async () => (await import('./hours.ts')).hoursAnswer },
  name: 'hours',
  aliases: ['장시간', '개장시간', '시장시간'],
  description: {
    ko: '시장이 열려 있는지, 언제 열고 닫는지 보여 줍니다',
    en: 'when markets open and close',
  },
  usage: { ko: '/hours 한국', en: '/hours us' },
  concern: 'market',
  actions: {
    hours: action({
      hasDetails: true,
      input: {
        market: {
          input: said(
            MAX_NAME_LENGTH,
            'krx, nxt (Nextrade), nyse, nasdaq, us, fx, crypto, or the name of a company; absent: every market',
          ),
          option: option('market', '시장', {
            ko: '시장 (비우면 모두)',
            en: 'a market; empty for all',
            choices: [
              { value: 'krx', label: { ko: '한국 (KRX)', en: 'Korea (KRX)' }, words: ['한국'] },
              { value: 'us', label: { ko: '미국 (NYSE, 나스닥)', en: 'United States (NYSE, Nasdaq)' } },
              { value: 'fx', label: { ko: '외환', en: 'Currencies' } },
              { value: 'crypto', label: { ko: '암호화폐', en: 'Crypto' } },
            ],
          }),
        },
        date: {
          input: said(MAX_DATE_LENGTH, 'A date such as 2026-11-19, or today or tomorrow; absent: now'),
          option: option('date', '날짜', {
            ko: '날짜 (예: 2026-11-19, 비우면 지금)',
            en: 'a date such as 2026-11-19; empty for now',
          }),
        },
        asks: {
          input: () =>
            z
              .enum(['open', 'closed'])
              .optional()
              .describe('Of a yes-or-no question: whether it asks if it is open, or closed'),
        },
      },
      read: ({ words }) => {
        const text = words.join(' ').trim();
        const [found] = datesIn(text, SOME_DAY, { looks: 'near', allowsShort: true, allowsCompact: true });
        const market = (found ? withoutReadings(text, [found]) : text).replaceAll(/\s+/g, ' ').trim();
        return {
          market: market || undefined,
          date: found && text.slice(found.start, found.end),
          asks: undefined,
        };
      },
      run: ({ market, date, asks }, { markets }: { readonly markets: HoursQueries }, who, signal) =>
        markets.hours(
          {
            ...(market !== undefined && { market }),
            ...(date !== undefined && { date }),
            ...(asks !== undefined && { asks }),
          },
          who,
          signal,
        ),
      progress: ({ market = '' }, locale) => hoursTexts(locale).lookingUp({ market: shortened(market) }),
      tool: {
        name: 'get_market_hours',
        description: [
          'Get when a market trades: whether it is open now (pre-market, open, after hours, closed), its hours today on',
          "the exchange's clock and on the user's, the next change, and holidays, half days and other special days.",
          'Use it for every question about opening hours or holidays, and never state them from memory. Without a market',
          'it tells all (Korea, United States, currencies, coins); with a date it tells that day. What it calls expected',
          'or not known, repeat as such, and name the calendar and its as-of date as the source.',
        ],
      },
    }),
  },
});

export type { HoursQueries } from './hours.ts';
