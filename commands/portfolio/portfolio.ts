import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import { portfolioTexts, taxTexts } from '#src/features/portfolio/index.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { type AccountQuery, requesterOfMessage } from '#src/kernel/people/requester.ts';
import type { PortfolioService } from '#src/kernel/people/portfolio.ts';
import { shortened } from '#src/kernel/text.ts';
import { accountResult } from '#src/markets/answers/command-result.ts';
import type { PortfolioArgs, PortfolioQuestion } from './parse-portfolio-args.ts';
import { asksToImport } from './picture-words.ts';
import { PORTFOLIO_SUBCOMMANDS, portfolioSubcommandOf } from './portfolio-subcommands.ts';

export interface PortfolioDeps {
  readonly portfolio: PortfolioService;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

const NOTE_WORD = /^(?:note|memo|메모|비고)[:=]?\s{1,3}/iu;
const OF_MONEY: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'fee', 'interest']);

/** Whether surplus words look like a note: `note first lot`, `$3 wire`, `100만원 월급`. */
const isNote = ({ typed, of }: { readonly typed: string; readonly of: string }): boolean =>
  NOTE_WORD.test(typed) || (OF_MONEY.has(of) && /^[\p{L} ]+$/u.test(typed));

export const portfolioDefinition: CommandDefinition = {
  name: 'portfolio',
  aliases: ['포트폴리오', 'pf', '잔고', 'balance'],
  description: {
    ko: '내 포트폴리오를 보고 거래를 기록합니다',
    en: 'your portfolio and trades',
  },
  usage: { ko: '/portfolio [매수 삼성전자 10주 71,000원]', en: '/portfolio [add AAPL 10 190.5]' },
  examples: {
    ko: [
      ['/portfolio', '보유 종목과 손익 요약'],
      ['/portfolio 매수 삼성전자 10주 71,000원 어제', '매수 기록 (가격을 비우면 최근 시세)'],
      ['/portfolio 매도 AAPL 4 200', '매도 기록'],
      ['/portfolio 배당 AAPL 12 USD', '배당 기록'],
      ['/portfolio 입금 100만원', '입금 기록 (출금, 환전, 수수료도 같습니다)'],
      ['/portfolio 내역', '거래 내역'],
      ['/portfolio 취소 3', '3번 기록 취소 (`3-8`: 여러 건)'],
      ['/portfolio 분석 1년', '수익률과 위험 분석'],
      ['/portfolio 배당확인', '보유 종목의 분할·배당과 기록 여부'],
      ['/portfolio 세금 2025', '해외주식 양도소득세와 배당 세금 요약 (CSV 포함)'],
      ['/portfolio 리밸런싱 AAPL 40 삼성전자 30 현금 30', '목표 비중에 맞추는 매매 계산 (새 돈 100만원)'],
      ['/portfolio 목표 AAPL 40 삼성전자 30 현금 30', '목표 비중 저장'],
      [
        '/portfolio 가져오기',
        '증권사 파일(CSV, 엑셀)이나 앱 화면 캡처로 한꺼번에 기록 (내보내기도 있습니다)',
      ],
      ['/portfolio 새로 연금 KRW', '포트폴리오 하나 더 만들기 (목록, 삭제도 있습니다)'],
    ],
    en: [
      ['/portfolio', 'your holdings and gains'],
      [
        '/portfolio add AAPL 10 190.5 yesterday',
        'records a purchase (without a price, the last one is used)',
      ],
      ['/portfolio sell AAPL 4 200', 'records a sale'],
      ['/portfolio dividend AAPL 12 USD', 'records a dividend'],
      ['/portfolio deposit 1000 USD', 'records a deposit (also: withdraw, fx, fee)'],
      ['/portfolio history', 'your entries'],
      ['/portfolio undo 3', 'undoes entry 3 (`3-8` undoes several)'],
      ['/portfolio analysis 1y', 'return and risk'],
      ['/portfolio actions', 'splits and dividends of what you hold, and whether they are recorded'],
      ['/portfolio tax 2025', 'gains, dividends and taxes of a year, with a CSV file'],
      ['/portfolio rebalance AAPL 40 MSFT 30 cash 30', 'trades towards target weights (+$500: new money)'],
      ['/portfolio target AAPL 40 MSFT 30 cash 30', 'stores target weights'],
      [
        '/portfolio import',
        "records the entries of a broker's file (CSV, Excel) or of a screenshot of its app (also: export)",
      ],
      ['/portfolio new pension USD', 'creates another portfolio (also: list, delete)'],
    ],
  },
  category: 'finance',
  isPrivate: true,
  readWithPicture: (text) => (asksToImport(text) ? ['import'] : undefined),
  takesLines: { words: ['import', '가져오기'], maxChars: 10_000 },
  subcommands: PORTFOLIO_SUBCOMMANDS,
  subcommandOf: portfolioSubcommandOf,
};

/** A number after a character that reverses the direction of text. */
const TURNED_NUMBER = /[\u202a\u202b\u202d\u202e\u2066-\u2068][^\u202a-\u202e\u2066-\u2069]*\p{Nd}/u;
const FIRST_LINE = /^[^\r\n]*(?:\r\n|\r|\n)?/u;

/** `@trades.csv` after the command: on platforms that cannot read files by name, the answer says so. */
const NAMED_FILE = /(?<=\s)@(?:"[^"\n]{1,300}"|[^\s"]{1,300})$/u;

/** The lines that were pasted below the command, else the name of a file after it. */
const linesBelow = ({ rawBody }: TurnContext): string => {
  const [first = ''] = FIRST_LINE.exec(rawBody.trimStart()) ?? [];
  const below = rawBody.trimStart().slice(first.length);
  return below.trim() === '' ? (NAMED_FILE.exec(first.trim())?.[0] ?? '') : below;
};

const textAnswer = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });

type Asked = Pick<PortfolioService, PortfolioQuestion['action']>;
type Queries = { readonly [Name in keyof Asked]: AccountQuery<PortfolioQuestion<Name>['request']> };

const ask = async (
  parsed: PortfolioArgs,
  service: PortfolioService,
  ctx: TurnContext,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const requester = requesterOfMessage(ctx);
  const t = portfolioTexts(ctx.locale);
  const query = <Name extends PortfolioQuestion['action']>(
    queries: Queries,
    { action, request }: PortfolioQuestion<Name>,
  ): Promise<MarketAnswer> => queries[action](request, requester, signal);
  if ('request' in parsed) return query(service, parsed);
  switch (parsed.action) {
    case 'preview':
      return service.preview(
        {
          portfolio: parsed.portfolio,
          text: linesBelow(ctx),
          files: ctx.media ?? [],
          sessionKey: ctx.sessionKey,
        },
        requester,
        signal,
      );
    case 'help':
      return textAnswer(t.help());
    case 'ranges':
      return textAnswer(t.rangeUsage());
    case 'tax-unclear':
      return textAnswer(taxTexts(ctx.locale).unclear({ typed: shortened(parsed.typed) }));
    case 'portion':
      return textAnswer(t.portion({ typed: shortened(parsed.typed), example: t.examples[parsed.of] }));
    case 'fraction-or-day':
      return textAnswer(t.fractionOrDay({ typed: shortened(parsed.typed) }));
    case 'left-over': {
      const example = t.examples[parsed.of];
      const leftOver = t.leftOver({ typed: shortened(parsed.typed), example });
      return textAnswer(isNote(parsed) ? `${leftOver} ${t.noteGoes()}` : leftOver);
    }
  }
  return parsed satisfies never;
};

export const portfolio = ({ portfolio: service, symbols }: PortfolioDeps): Command => ({
  definition: portfolioDefinition,
  execute: async (args, ctx, signal, flags = new Map()) => {
    // Loaded on first use: the parser of entries is large.
    const { parsePortfolioArgs } = await import('./parse-portfolio-args.ts');
    const parsed = parsePortfolioArgs(args, flags, symbols);
    // Normalizing has removed these characters, but the person saw the numbers with them.
    const isTurned = parsed.action === 'record' && TURNED_NUMBER.test(ctx.rawBody);
    const t = portfolioTexts(ctx.locale);
    return accountResult(
      isTurned ? textAnswer(t.turnedNumber()) : await ask(parsed, service, ctx, signal),
      ctx,
    );
  },
});
