import { defineAbility } from '#src/features/ability.ts';
import { entryActions, isCash } from './actions/entries.ts';
import { withoutNames } from './actions/line.ts';
import { fileActions, portfolioActions } from './actions/portfolios.ts';
import { holdingActions, isOfReport, reportActions } from './actions/reports.ts';
import { meant, verbIn } from './actions/verbs.ts';
import { asksToImport } from './import/picture-words.ts';

/** Words without a verb of their own are a portfolio's name, or an entry of a rare kind. */
const formOf = ([first, ...rest]: readonly string[], named: string | undefined): string => {
  // `tax 2025` is the report of a year, `tax AAPL 1.88` an entry.
  if (named === 'tax' && !rest.every((word) => isOfReport(word) || word.startsWith('--'))) return 'other';
  if (named !== undefined) return named;
  if (first === undefined || first.startsWith('--')) return 'summary';
  return isCash(first) ? 'cash' : 'other';
};

export const portfolio = defineAbility({
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
  concern: 'own',
  actions: {
    ...holdingActions,
    ...entryActions,
    ...fileActions,
    ...reportActions,
    ...portfolioActions,
  },
  unnamed: (words) => (withoutNames(words).length === 0 ? 'summary' : 'open'),
  verbIn,
  meant,
  command: {
    readWithPicture: (text) => (asksToImport(text) ? ['import'] : undefined),
    takesLines: { words: ['import', '가져오기'], maxChars: 10_000 },
    subcommandOf: formOf,
  },
});

export type { PortfolioMover, PortfolioMovers, PortfolioMoversOf } from './summary/movers.ts';
