import type { Command, CommandDefinition } from '#src/core/command.ts';
import type { QuoteLookup, SymbolSearch } from '#src/core/finance.ts';
import { texts } from '#src/core/i18n.ts';
import { MAX_NAME_WORDS, scanNames } from '#src/core/name-scan.ts';

export interface PriceDeps {
  readonly lookUpQuotes: QuoteLookup;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

const MAX_SYMBOLS = 10;
/** As many words as ten names can have, and one: more are too many names, however they are cut. */
const MAX_WORDS = MAX_SYMBOLS * MAX_NAME_WORDS + 1;

/** `/price SK hynix` is one name, `/price AAPL TSLA` two. Who writes commas has said where the names end. */
const queriesOf = (args: readonly string[], symbols: PriceDeps['symbols']): readonly string[] => {
  const text = args.join(' ');
  if (text.includes(',')) {
    return text
      .split(',')
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
  }
  const words = args.map((word) => word.trim()).filter((word) => word !== '');
  const knownName = (run: readonly string[]): string | null =>
    symbols.resolve(run.join(' ')).status === 'found' ? run.join(' ') : null;
  return scanNames(words.slice(0, MAX_WORDS), knownName).map(({ name, words: run }) => name ?? run.join(' '));
};

export const priceDefinition: CommandDefinition = {
  name: 'price',
  aliases: ['시세', 'quote'],
  description: {
    ko: '종목, 코인, 환율의 시세를 보여 줍니다',
    en: 'shows the price of a stock, coin or currency',
  },
  usage: { ko: '/price 삼성전자', en: '/price AAPL' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'symbol',
      nameKo: '종목',
      description: {
        ko: '종목명, 코드, 코인, 환율 (쉼표로 여러 개)',
        en: 'name or code of a stock, coin or currency; several with commas',
      },
      type: 'text',
      isRequired: true,
      suggest: 'symbol',
    },
  ],
};

export const price = ({ lookUpQuotes, symbols }: PriceDeps): Command => ({
  definition: priceDefinition,
  execute: async (args, { locale, timeZone }, signal) => {
    const queries = queriesOf(args, symbols);
    if (queries.length === 0) return { content: texts(locale).priceUsage(), ephemeral: true };
    if (queries.length > MAX_SYMBOLS) {
      return {
        content: texts(locale).tooManySymbols({ limit: MAX_SYMBOLS }),
        ephemeral: true,
      };
    }
    const answer = await lookUpQuotes(queries, locale, timeZone, signal);
    const { content, facts, cards, choices } = answer;
    return {
      content,
      facts,
      ephemeral: answer.found === 0,
      ...(cards && { cards }),
      ...(choices && { choices }),
    };
  },
});
