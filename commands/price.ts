import type { Command } from '#src/core/command.ts';
import type { QuoteLookup } from '#src/core/finance.ts';
import { texts } from '#src/core/i18n.ts';

export interface PriceDeps {
  readonly lookUpQuotes: QuoteLookup;
}

const MAX_SYMBOLS = 10;

/** `/price SK hynix` is one name, `/price AAPL TSLA` and `/price 애플, 테슬라` are two. */
const queriesOf = (args: readonly string[]): readonly string[] => {
  const text = args.join(' ');
  const pieces = text.includes(',') ? text.split(',') : args;
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
};

export const price = ({ lookUpQuotes }: PriceDeps): Command => ({
  definition: {
    name: 'price',
    aliases: ['시세', 'quote'],
    description: {
      ko: '종목, 코인, 환율의 시세를 보여 줍니다',
      en: 'shows the price of a stock, coin or currency',
    },
    usage: { ko: '/price 삼성전자', en: '/price AAPL' },
    category: 'finance',
  },
  execute: async (args, { locale, timeZone }, signal) => {
    const queries = queriesOf(args);
    if (queries.length === 0) return { content: texts(locale).priceUsage(), ephemeral: true };
    if (queries.length > MAX_SYMBOLS) {
      return { content: texts(locale).tooManySymbols({ limit: MAX_SYMBOLS }), ephemeral: true };
    }
    // Words that make one name together are tried together first: `SK hynix`, `삼성 전자`.
    const whole =
      queries.length > 1 ? await lookUpQuotes([queries.join(' ')], locale, timeZone, signal) : undefined;
    const answer = whole?.found ? whole : await lookUpQuotes(queries, locale, timeZone, signal);
    return { content: answer.content, facts: answer.facts, ephemeral: answer.found === 0 };
  },
});
