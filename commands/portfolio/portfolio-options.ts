import type { CommandForm, CommandOption } from '#src/kernel/chat/command-definition.ts';
import { themeOption } from '#src/markets/answers/chart-options.ts';

export const PORTFOLIO: CommandOption = {
  name: 'portfolio',
  nameKo: '포트폴리오',
  description: {
    ko: '포트폴리오 이름 (비우면 기본)',
    en: 'name of the portfolio (the default if left out)',
  },
  type: 'text',
  isNamed: true,
  aliases: ['in'],
  suggest: 'portfolio',
};

export const THEME: CommandOption = { ...themeOption, isNamed: true };

export const SYMBOL: CommandOption = {
  name: 'symbol',
  nameKo: '종목',
  description: { ko: '종목명, 코드, 코인', en: 'name or code of a stock, fund or coin' },
  type: 'text',
  isRequired: true,
  suggest: 'symbol',
};

const QUANTITY: CommandOption = {
  name: 'quantity',
  nameKo: '수량',
  description: { ko: '수량, 예: 10, 10주, 0.5', en: 'how many, e.g. 10 or 0.5' },
  type: 'text',
  isNamed: true,
  isRequired: true,
};

const PRICE: CommandOption = {
  name: 'price',
  nameKo: '단가',
  description: {
    ko: '한 주의 가격, 예: 71,000원 (비우면 최근 시세)',
    en: 'price of one, e.g. 190.5 (the last price if left out)',
  },
  type: 'text',
  isNamed: true,
};

export const AMOUNT: CommandOption = {
  name: 'amount',
  nameKo: '금액',
  description: { ko: '금액, 예: 12.5 USD, 100만원', en: 'amount of money, e.g. 12.5 USD' },
  type: 'text',
  isNamed: true,
  isRequired: true,
};

export const DATE: CommandOption = {
  name: 'date',
  nameKo: '날짜',
  description: {
    ko: '거래일, 예: 2026-11-13, 어제 (비우면 오늘)',
    en: 'day of the entry, e.g. 2026-11-13, yesterday (today if left out)',
  },
  type: 'text',
  isNamed: true,
  suggest: 'date',
};

const FEE: CommandOption = {
  name: 'fee',
  nameKo: '수수료',
  description: { ko: '거래 수수료, 예: 500원', en: 'fee of the trade, e.g. 5 USD' },
  type: 'text',
  isNamed: true,
};

export const NOTE: CommandOption = {
  name: 'note',
  nameKo: '메모',
  description: { ko: '기록에 남길 메모', en: 'a note to keep with the entry' },
  type: 'text',
  isNamed: true,
};

const DETAILS: CommandOption = {
  name: 'details',
  nameKo: '추가',
  description: { ko: '그 밖의 내용, 예: 14:30, 세금 100', en: 'anything else: 14:30, tax 3' },
  type: 'text',
};

export const YES: CommandOption = {
  name: 'yes',
  nameKo: '확인',
  description: {
    ko: '시세와 다른 단가 등을 묻지 않고 그대로 기록합니다',
    en: 'records it as it is, even with a price far from the last one',
  },
  type: 'flag',
};

export const TRADE: CommandForm = {
  options: [SYMBOL, QUANTITY, PRICE, DATE, FEE, DETAILS, PORTFOLIO, NOTE, YES],
  fills: ['symbol', 'quantity', 'price', 'details'],
};

export const WEIGHTS: CommandOption = {
  name: 'weights',
  nameKo: '비중',
  description: {
    ko: '목표 비중, 예: AAPL 40 삼성전자 30 현금 30 (비우면 저장된 비중)',
    en: 'target weights, e.g. AAPL 40 MSFT 30 cash 30 (the stored ones if left out)',
  },
  type: 'text',
};

export const RANGE: CommandOption = {
  name: 'range',
  nameKo: '기간',
  description: { ko: '기간 (비우면 1년)', en: 'period (a year if left out)' },
  type: 'text',
  choices: [
    { value: '3mo', label: { ko: '3개월', en: '3 months' } },
    { value: '6mo', label: { ko: '6개월', en: '6 months' } },
    { value: 'ytd', label: { ko: '올해', en: 'this year' } },
    { value: '1y', label: { ko: '1년', en: '1 year' } },
    { value: '2y', label: { ko: '2년', en: '2 years' } },
  ],
};

export const BENCHMARK: CommandOption = {
  name: 'benchmark',
  nameKo: '비교지수',
  description: { ko: '비교할 지수', en: 'index to compare with' },
  type: 'text',
  choices: [
    { value: 'kospi', label: { ko: '코스피', en: 'KOSPI' } },
    { value: 'sp500', label: { ko: 'S&P 500', en: 'S&P 500' } },
  ],
};

export const CAN_SELL: CommandOption = {
  name: 'sell',
  nameKo: '매도포함',
  description: { ko: '새 돈을 넣을 때 매도도 합니다', en: 'also sells when new money is added' },
  type: 'flag',
};
