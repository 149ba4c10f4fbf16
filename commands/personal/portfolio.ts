import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { SymbolSearch } from '#src/kernel/finance.ts';
import { portfolioMessages, taxMessages } from '#src/features/portfolio/index.ts';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import {
  type AccountQuery,
  requesterOfMessage,
  type PortfolioService,
} from '#src/kernel/account-services.ts';
import { shortened } from '#src/kernel/text.ts';
import { accountResult } from './account-result.ts';
import type { PortfolioArgs, PortfolioQuestion } from './parse-portfolio-args.ts';

export interface PortfolioDeps {
  readonly portfolio: PortfolioService;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
}

const ACTIONS = [
  ['summary', '요약', '요약 보기', 'summary'],
  ['add', '매수', '매수 기록', 'record a purchase'],
  ['sell', '매도', '매도 기록', 'record a sale'],
  ['dividend', '배당', '배당 기록', 'record a dividend'],
  ['split', '분할', '분할 기록', 'record a split'],
  ['deposit', '입금', '입금 기록', 'record a deposit'],
  ['withdraw', '출금', '출금 기록', 'record a withdrawal'],
  ['fee', '수수료', '계좌 수수료 기록', 'record an account fee'],
  ['fx', '환전', '환전 기록', 'record a currency exchange'],
  ['interest', '이자', '이자 기록', 'record interest'],
  ['rights', '유상증자', '유상증자 기록', 'record a rights issue'],
  ['history', '내역', '거래 내역', 'history'],
  ['undo', '취소', '기록 취소', 'undo an entry'],
  ['import', '가져오기', '파일 가져오기', 'import a file'],
  ['export', '내보내기', 'CSV 내보내기', 'export as CSV'],
  ['analysis', '분석', '수익률과 위험 분석', 'analysis of return and risk'],
  ['actions', '배당확인', '분할·배당 확인', 'check splits and dividends'],
  ['tax', '세금', '양도세·배당 세금 요약', 'tax report of a year'],
  ['rebalance', '리밸런싱', '목표 비중에 맞추기', 'trades towards target weights'],
  ['list', '목록', '포트폴리오 목록', 'list portfolios'],
  ['new', '새로', '새 포트폴리오', 'new portfolio'],
  ['use', '사용', '기본 포트폴리오 정하기', 'choose the default portfolio'],
  ['cost', '원가', '원가 계산법', 'how cost is counted'],
  ['short', '공매도', '공매도 허용', 'allow short sales'],
  ['delete', '삭제', '포트폴리오 삭제', 'delete a portfolio'],
] as const;

type Action = (typeof ACTIONS)[number][0];

/** The options of each action in the order in which typed words fill them. The last option gets all remaining words. */
const FILLED: Readonly<Partial<Record<Action, readonly string[]>>> = {
  add: ['symbol', 'quantity', 'price', 'details'],
  sell: ['symbol', 'quantity', 'price', 'details'],
  dividend: ['symbol', 'amount'],
  split: ['symbol', 'details'],
  deposit: ['amount'],
  withdraw: ['amount'],
  fee: ['amount'],
  interest: ['amount'],
  rights: ['symbol', 'quantity', 'price', 'details'],
  history: ['symbol'],
};

const NOTE_WORD = /^(?:note|memo|메모|비고)[:=]?\s{1,3}/iu;
const OF_MONEY: ReadonlySet<string> = new Set(['deposit', 'withdrawal', 'fee', 'interest']);

/** Whether surplus words look like a note: `note first lot`, `$3 wire`, `100만원 월급`. */
const isNote = ({ typed, of }: { readonly typed: string; readonly of: string }): boolean =>
  NOTE_WORD.test(typed) || (OF_MONEY.has(of) && /^[\p{L} ]+$/u.test(typed));

/** Assigns typed words to options: `매수 삼성전자 10주 71,000원` is an action, an instrument, a quantity and a price. */
const fill = ([first = '', ...rest]: readonly string[]): Readonly<Record<string, string>> => {
  const action = ACTIONS.find(([value, word]) =>
    [value, word].some((each) => each === first.toLowerCase()),
  )?.[0];
  if (action === undefined) return { details: [first, ...rest].join(' ') };
  // A bare number is a page of the history, not an instrument.
  const names = action === 'history' && /^[\d/]/u.test(rest[0] ?? '') ? [] : (FILLED[action] ?? []);
  const options = names.length === 0 ? ['details'] : names;
  const filled = options.map((name, index) => {
    const isLast = index === options.length - 1;
    return [name, (isLast ? rest.slice(index) : rest.slice(index, index + 1)).join(' ')] as const;
  });
  return { action, ...Object.fromEntries(filled) };
};

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
      ['/portfolio 취소 3', '3번 기록 취소'],
      ['/portfolio 분석 1년', '수익률과 위험 분석'],
      ['/portfolio 배당확인', '보유 종목의 분할·배당과 기록 여부'],
      ['/portfolio 세금 2025', '해외주식 양도소득세와 배당 세금 요약 (CSV 포함)'],
      ['/portfolio 리밸런싱 AAPL 40 삼성전자 30 현금 30', '목표 비중에 맞추는 매매 계산 (새 돈 100만원)'],
      ['/portfolio 목표 AAPL 40 삼성전자 30 현금 30', '목표 비중 저장'],
      ['/portfolio 가져오기', '증권사 파일(CSV, 엑셀)로 한꺼번에 기록 (내보내기도 있습니다)'],
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
      ['/portfolio undo 3', 'undoes entry 3'],
      ['/portfolio analysis 1y', 'return and risk'],
      ['/portfolio actions', 'splits and dividends of what you hold, and whether they are recorded'],
      ['/portfolio tax 2025', 'gains, dividends and taxes of a year, with a CSV file'],
      ['/portfolio rebalance AAPL 40 MSFT 30 cash 30', 'trades towards target weights (+$500: new money)'],
      ['/portfolio target AAPL 40 MSFT 30 cash 30', 'stores target weights'],
      ['/portfolio import', "records the entries of a broker's file, CSV or Excel (also: export)"],
      ['/portfolio new pension USD', 'creates another portfolio (also: list, delete)'],
    ],
  },
  category: 'finance',
  isPrivate: true,
  takesLines: { words: ['import', '가져오기'], maxChars: 10_000 },
  fill,
  options: [
    {
      name: 'action',
      nameKo: '작업',
      description: { ko: '비워 두면 요약을 보여 줍니다', en: 'leave it out for the summary' },
      type: 'text',
      choices: ACTIONS.map(([value, word, ko, en]) => ({ value, label: { ko, en }, words: [word] })),
    },
    {
      name: 'symbol',
      nameKo: '종목',
      description: { ko: '종목명, 코드, 코인', en: 'name or code of a stock, fund or coin' },
      type: 'text',
      suggest: 'symbol',
    },
    {
      name: 'quantity',
      nameKo: '수량',
      description: { ko: '매수·매도 수량', en: 'how many were bought or sold' },
      type: 'text',
      isNamed: true,
    },
    {
      name: 'price',
      nameKo: '단가',
      description: { ko: '한 주의 가격 (비우면 최근 시세)', en: 'price of one (the last price if left out)' },
      type: 'text',
      isNamed: true,
    },
    {
      name: 'amount',
      nameKo: '금액',
      description: {
        ko: '배당·입출금·수수료 금액, 예: 100 USD',
        en: 'of a dividend, deposit, fee, e.g. 100 USD',
      },
      type: 'text',
      isNamed: true,
    },
    {
      name: 'date',
      nameKo: '날짜',
      description: { ko: '거래일, 예: 2026-11-13, 어제', en: 'day of the trade, e.g. 2026-11-13, yesterday' },
      type: 'text',
      isNamed: true,
    },
    {
      name: 'portfolio',
      nameKo: '포트폴리오',
      description: {
        ko: '포트폴리오 이름 (비우면 기본)',
        en: 'name of the portfolio (the default if left out)',
      },
      type: 'text',
      isNamed: true,
      aliases: ['in'],
    },
    {
      name: 'note',
      nameKo: '메모',
      description: { ko: '기록에 남길 메모', en: 'a note to keep with the entry' },
      type: 'text',
      isNamed: true,
    },
    {
      name: 'details',
      nameKo: '추가',
      description: {
        ko: '그 밖의 것: 수수료 500, 분할 비율, 번호, 이름',
        en: 'anything else: fee 5, ratio of a split, number, name',
      },
      type: 'text',
    },
    {
      name: 'yes',
      nameKo: '확인',
      description: {
        ko: '정말 삭제하거나, 시세와 다른 단가를 그대로 기록합니다',
        en: 'really delete it, or record a price far from the last one',
      },
      type: 'flag',
    },
    {
      name: 'file',
      nameKo: '파일',
      description: { ko: '가져올 증권사 파일 (CSV, 엑셀)', en: 'file of your broker to import (CSV, Excel)' },
      type: 'file',
    },
  ],
};

/** A number after a character that reverses the direction of text. */
const TURNED_NUMBER = /[\u202a\u202b\u202d\u202e\u2066-\u2068][^\u202a-\u202e\u2066-\u2069]*\p{Nd}/u;
const FIRST_LINE = /^[^\r\n]*(?:\r\n|\r|\n)?/u;

/** `@trades.csv` after the command: on platforms that cannot read files by name, the answer says so. */
const NAMED_FILE = /(?<=\s)@(?:"[^"\n]{1,300}"|[^\s"]{1,300})$/u;

/** The lines that were pasted below the command, else the name of a file after it. */
const linesBelow = ({ rawBody }: MsgContext): string => {
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
  ctx: MsgContext,
  signal: AbortSignal,
): Promise<MarketAnswer> => {
  const requester = requesterOfMessage(ctx);
  const t = portfolioMessages(ctx.locale);
  const query = <Name extends PortfolioQuestion['action']>(
    queries: Queries,
    { action, request }: PortfolioQuestion<Name>,
  ): Promise<MarketAnswer> => queries[action](request, requester, signal);
  if ('request' in parsed) return query(service, parsed);
  switch (parsed.action) {
    case 'preview':
      return service.preview(
        { portfolio: parsed.portfolio, text: linesBelow(ctx), files: ctx.media ?? [] },
        requester,
        signal,
      );
    case 'help':
      return textAnswer(t.help());
    case 'ranges':
      return textAnswer(t.rangeUsage());
    case 'tax-unclear':
      return textAnswer(taxMessages(ctx.locale).unclear({ typed: shortened(parsed.typed) }));
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
    const t = portfolioMessages(ctx.locale);
    return accountResult(
      isTurned ? textAnswer(t.turnedNumber()) : await ask(parsed, service, ctx, signal),
      ctx,
    );
  },
});
