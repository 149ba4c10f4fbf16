import { type Metric, metric } from './metric.ts';

/** Metrics of a company: what it is worth, earns and pays. */
export const COMPANY_METRICS = {
  marketCap: metric(
    'money',
    '시가총액, 시총',
    'market cap, market capitalisation, market capitalization, market value',
  ),
  peTrailing: metric(
    'multiple',
    'PER, 주가수익비율, P/E',
    `P/E, PE, price-to-earnings, P/E ratio, trailing P/E, PER,
      earnings multiple, times earnings, trailing earnings, trailing`,
  ),
  peForward: metric(
    'multiple',
    '선행 PER, 예상 PER, PER (예상), PER(예상), PER (선행), PER(선행), 12개월 선행, 선행',
    `forward P/E, forward PE, P/E (forward), forward, forward earnings,
    fwd P/E, fwd PE, fwd PER, P/E (fwd), PER (fwd), NTM P/E, P/E (NTM), fwd`,
  ),
  priceToBook: metric(
    'multiple',
    'PBR, 주가순자산비율, P/B',
    'P/B, PB, price-to-book, book value, PBR, times book, book',
  ),
  epsTrailing: metric(
    'money',
    'EPS, 주당순이익',
    'EPS, earnings per share, trailing EPS, earns, trailing basis',
    'signed',
  ),
  epsForward: metric(
    'money',
    '예상 EPS, 선행 EPS, EPS (예상), EPS(예상), EPS (선행), EPS(선행), 예상치, 내년 예상치',
    `forward EPS, EPS (forward), expected EPS, analysts expect, forward estimate, estimate,
    fwd EPS, EPS (fwd), EPS fwd, NTM EPS, EPS (NTM)`,
    'signed',
  ),
  epsEstimate: metric(
    'money',
    'EPS 추정치, EPS 예상, 예상 EPS, 컨센서스',
    'EPS estimate, estimated EPS, expected EPS, consensus',
    'signed',
  ),
  dividendYield: metric(
    'percent',
    '배당수익률, 배당률, 시가배당률, 배당',
    'dividend yield, yield, yields, yielding',
  ),
  dividendRate: metric(
    'money',
    '연간 주당 배당금, 주당 배당금, 연간 배당금, 배당금, 배당',
    'annual dividend, dividend per share, dividend rate, dividend, dividends, pays, pay, payout',
  ),
  exDividendDate: metric('date', '배당락일, 배당락', 'ex-dividend date, ex-dividend'),
  revenue: metric('money', '매출액, 매출', 'revenue, revenues, sales'),
  revenueGrowth: metric(
    'percent',
    '매출 성장률, 매출 증가율, 성장률, 매출, 매출액, 성장',
    'revenue growth, sales growth, growth, revenue, revenues, sales, growing, grow, grew',
    'signed',
  ),
  grossMargin: metric('percent', '매출총이익률, 총이익률, 총마진, 마진', 'gross margin, margin'),
  operatingMargin: metric('percent', '영업이익률, 영업마진, 마진', 'operating margin, margin', 'signed'),
  profitMargin: metric('percent', '순이익률, 순마진, 마진', 'profit margin, net margin, margin', 'signed'),
  returnOnEquity: metric('percent', 'ROE, 자기자본이익률', 'ROE, return on equity', 'signed'),
  debtToEquity: metric('percent', '부채비율, 부채', 'debt-to-equity, debt to equity, leverage, D/E'),
  freeCashFlow: metric('money', '잉여현금흐름, FCF, 현금흐름', 'free cash flow, FCF, cash flow', 'signed'),
  beta: metric('number', '베타', 'beta, betas'),
  sharesOutstanding: metric(
    'count',
    '발행주식수, 발행주식 수, 발행 주식 수, 상장 주식 수, 상장주식 수, 총주식수',
    'shares outstanding, outstanding shares, outstanding, share count',
  ),
  industry: metric('text', '산업, 업종', 'industry'),
  sector: metric('text', '업종, 섹터', 'sector, industry'),
  earningsDay: metric(
    'date',
    '실적 발표일, 실적 발표, 실적',
    'earnings date, earnings, reports, report, report date',
  ),
  earningsLastDay: metric(
    'date',
    '실적 발표 예정 마지막 날, 실적 발표일, 실적 발표',
    'latest earnings date, earnings date, earnings, reports, report, report date',
  ),
} as const satisfies Readonly<Record<string, Metric>>;
