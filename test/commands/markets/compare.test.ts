import { describe, expect, it } from 'vitest';
import { compare } from '#src/features/compare/index.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { CompareRequest } from '#src/features/compare/compare.ts';
import { everyRow } from '#test/support/every-row.ts';
import { runCommand } from '../support.ts';

const NAMES = ['삼성전자', 'SK하이닉스', 'SK hynix', 'AAPL', 'MSFT', 'ALL', 'PGR'];

/** Knows these names; which company they are is nothing to the command. */
const symbols: Pick<SymbolSearch, 'resolve'> = {
  resolve: (query) =>
    NAMES.some((name) => name.toLowerCase() === query.toLowerCase())
      ? {
          status: 'found',
          instrument: {
            symbol: query,
            ticker: query,
            name: { ko: query, en: query },
            exchange: 'X',
            assetClass: 'equity',
            currency: 'USD',
            priceDecimals: 2,
          },
        }
      : { status: 'unknown', suggestions: [] },
};

const setUp = (answer: MarketAnswer = { content: 'table', facts: [], found: 2 }) => {
  const asked: CompareRequest[] = [];
  const command = compare.command.create({
    symbols,
    markets: {
      compare: async (request) => {
        asked.push(request);
        return answer;
      },
    },
  });
  return { asked, command };
};

describe('/compare', () => {
  everyRow([
    ['삼성전자 SK하이닉스', ['삼성전자', 'SK하이닉스'], '1y'],
    ['삼성전자 SK하이닉스 6개월', ['삼성전자', 'SK하이닉스'], '6mo'],
    ['AAPL MSFT 3m', ['AAPL', 'MSFT'], '3mo'],
    ['AAPL MSFT 3 months', ['AAPL', 'MSFT'], '3mo'],
    ['ytd AAPL MSFT', ['AAPL', 'MSFT'], 'ytd'],
    ['SK hynix AAPL 5y', ['SK hynix', 'AAPL'], '5y'],
    ['AAPL, 없는 회사, MSFT 1년', ['AAPL', '없는 회사', 'MSFT'], '1y'],
    ['SK hynix vs AAPL 2y', ['SK hynix', 'AAPL'], '2y'],
    ['없는 회사 vs AAPL', ['없는 회사', 'AAPL'], '1y'],
    ['AAPL MSFT all', ['AAPL', 'MSFT'], 'max'],
    // Allstate.
    ['PGR ALL', ['PGR', 'ALL'], '1y'],
    ['ALL PGR 1y', ['ALL', 'PGR'], '1y'],
    ['ALL PGR', ['ALL', 'PGR'], '1y'],
  ] as const)('reads "%s"', async (text, queries, range) => {
    const { asked, command } = setUp();
    const result = await runCommand(command, text.split(' '));
    expect(asked).toEqual([{ queries, range, isDrawn: true }]);
    expect(result).toEqual({ content: 'table', facts: [], ephemeral: false });
  });

  it('reads the background of the picture at the end', async () => {
    const { asked, command } = setUp();
    await runCommand(command, ['AAPL', 'MSFT', '3m', 'dark']);
    expect(asked).toEqual([{ queries: ['AAPL', 'MSFT'], range: '3mo', isDrawn: true, theme: 'dark' }]);
  });

  it.each(['ko', 'en'] as const)(
    'says how to use it for fewer than two, and asks nothing (%s)',
    async (locale) => {
      const { asked, command } = setUp();
      const usage = { content: analysisTexts(locale).compareUsage(), ephemeral: true };
      for (const args of [[], ['AAPL'], ['1y'], ['AAPL', '1y']]) {
        expect(await runCommand(command, args, { locale })).toEqual(usage);
      }
      expect(asked).toEqual([]);
    },
  );

  it('compares six, and refuses seven', async () => {
    const { asked, command } = setUp();
    await runCommand(command, Array<string>(6).fill('AAPL'));
    expect(asked[0]?.queries).toHaveLength(6);
    expect(await runCommand(command, Array<string>(7).fill('AAPL'))).toEqual({
      content: analysisTexts('en').compareTooMany({ limit: 6 }),
      ephemeral: true,
    });
    expect(asked).toHaveLength(1);
  });

  it('tells the requester alone where nothing was found, with buttons', async () => {
    const choices = [{ label: 'Apple', command: '/compare AAPL, MSFT 1y' }];
    const { command } = setUp({ content: 'which?', facts: [], found: 0, choices });
    expect(await runCommand(command, ['APPL', 'MSFT'])).toEqual({
      content: 'which?',
      facts: [],
      choices,
      ephemeral: true,
    });
  });
});
