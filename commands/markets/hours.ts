import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { HoursQueries } from '#src/features/hours/index.ts';
import { datesIn, SOME_DAY } from '#src/reading/dates.ts';
import { withoutReadings } from '#src/reading/reading.ts';
import { commandResult } from './market-result.ts';

export const hoursDefinition: CommandDefinition = {
  name: 'hours',
  aliases: ['장시간', '개장시간', '시장시간'],
  description: {
    ko: '시장이 열려 있는지, 언제 열고 닫는지 보여 줍니다',
    en: 'when markets open and close',
  },
  usage: { ko: '/hours 한국', en: '/hours us' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'market',
      nameKo: '시장',
      description: { ko: '시장 (비우면 모두)', en: 'a market; empty for all' },
      type: 'text',
      choices: [
        { value: 'krx', label: { ko: '한국 (KRX)', en: 'Korea (KRX)' }, words: ['한국'] },
        { value: 'us', label: { ko: '미국 (NYSE, 나스닥)', en: 'United States (NYSE, Nasdaq)' } },
        { value: 'fx', label: { ko: '외환', en: 'Currencies' } },
        { value: 'crypto', label: { ko: '암호화폐', en: 'Crypto' } },
      ],
    },
    {
      name: 'date',
      nameKo: '날짜',
      description: {
        ko: '날짜 (예: 2026-11-19, 비우면 지금)',
        en: 'a date such as 2026-11-19; empty for now',
      },
      type: 'text',
    },
  ],
};

export const hours = ({ markets }: { readonly markets: HoursQueries }): Command => ({
  definition: hoursDefinition,
  execute: async (args, ctx, signal, flags) => {
    const text = args.join(' ').trim();
    const [found] = datesIn(text, SOME_DAY, { looks: 'near', allowsShort: true, allowsCompact: true });
    const date = found && text.slice(found.start, found.end);
    const market = (found ? withoutReadings(text, [found]) : text).replaceAll(/\s+/g, ' ').trim();
    return commandResult(
      await markets.hours(
        { ...(market !== '' && { market }), ...(date !== undefined && { date }) },
        ctx,
        signal,
      ),
      flags,
    );
  },
});
