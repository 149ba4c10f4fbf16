import { type Metric, metric } from './metric.ts';

/** Metrics of the taxes on what a person sold and received. */
export const TAX_METRICS = {
  taxableGain: metric(
    'money',
    '해외주식 양도차익, 양도차익, 양도소득, 매매차익, 이익, 손실',
    'foreign share gain, capital gain, gain, gains, loss',
    'signed',
  ),
  taxDeduction: metric('money', '기본공제, 공제', 'deduction, allowance, exemption'),
  taxBase: metric('money', '과세표준, 과세 대상, 과표', 'tax base, taxable'),
  incomeTax: metric('money', '양도소득세, 소득세', 'income tax, capital gains tax'),
  localTax: metric('money', '지방소득세, 지방세', 'local tax, local income tax'),
  estimatedTax: metric(
    'money',
    '예상 세금, 예상 세액, 납부할 세액, 세금, 세액, 양도세',
    'estimated tax, tax due, tax, total tax',
  ),
  transactionTax: metric('money', '증권거래세, 거래세', 'transaction tax'),
  withheldTax: metric(
    'money',
    '원천징수세액, 원천징수, 세금',
    'withholding tax, withheld, tax withheld, tax',
  ),
  saleCount: metric('count', '매도 건수, 매도, 건', 'number of sales, sales, trades'),
  taxRate: metric(
    'percent',
    '세율, 예상 세액, 소득세, 지방소득세',
    'tax rate, rate, estimated tax, income tax, local tax',
  ),
  taxFilingFrom: metric(
    'date',
    '신고 시작일, 신고 기간, 신고, 부터',
    'filing from, filing, file, from, to be declared',
  ),
  taxFilingTo: metric(
    'date',
    '신고 기한, 신고 기간, 신고, 까지',
    'filing deadline, filing, file by, deadline, to, to be declared',
  ),
  financialIncome: metric(
    'money',
    '금융소득, 배당과 이자, 배당·이자, 배당 및 이자',
    'dividends and interest, financial income',
  ),
} as const satisfies Readonly<Record<string, Metric>>;
