import type { Subcommand, CommandForm, CommandOption } from '#src/kernel/chat/command-definition.ts';
import { themeOption } from '#src/markets/answers/chart-options.ts';

const PORTFOLIO: CommandOption = {
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

const THEME: CommandOption = { ...themeOption, isNamed: true };

const SYMBOL: CommandOption = {
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

const AMOUNT: CommandOption = {
  name: 'amount',
  nameKo: '금액',
  description: { ko: '금액, 예: 12.5 USD, 100만원', en: 'amount of money, e.g. 12.5 USD' },
  type: 'text',
  isNamed: true,
  isRequired: true,
};

const DATE: CommandOption = {
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

const NOTE: CommandOption = {
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

const YES: CommandOption = {
  name: 'yes',
  nameKo: '확인',
  description: {
    ko: '시세와 다른 단가 등을 묻지 않고 그대로 기록합니다',
    en: 'records it as it is, even with a price far from the last one',
  },
  type: 'flag',
};

const TRADE: CommandForm = {
  options: [SYMBOL, QUANTITY, PRICE, DATE, FEE, DETAILS, PORTFOLIO, NOTE, YES],
  fills: ['symbol', 'quantity', 'price', 'details'],
};

const WEIGHTS: CommandOption = {
  name: 'weights',
  nameKo: '비중',
  description: {
    ko: '목표 비중, 예: AAPL 40 삼성전자 30 현금 30 (비우면 저장된 비중)',
    en: 'target weights, e.g. AAPL 40 MSFT 30 cash 30 (the stored ones if left out)',
  },
  type: 'text',
};

const RANGE: CommandOption = {
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

const BENCHMARK: CommandOption = {
  name: 'benchmark',
  nameKo: '비교지수',
  description: { ko: '비교할 지수', en: 'index to compare with' },
  type: 'text',
  choices: [
    { value: 'kospi', label: { ko: '코스피', en: 'KOSPI' } },
    { value: 'sp500', label: { ko: 'S&P 500', en: 'S&P 500' } },
  ],
};

const CAN_SELL: CommandOption = {
  name: 'sell',
  nameKo: '매도포함',
  description: { ko: '새 돈을 넣을 때 매도도 합니다', en: 'also sells when new money is added' },
  type: 'flag',
};

const OF_CASH = [
  ['deposit', '입금', '입금', 'deposit'],
  ['withdraw', '출금', '출금', 'withdrawal'],
  ['fee', '수수료', '계좌 수수료', 'account fee'],
  ['interest', '이자', '이자', 'interest'],
] as const;

const isCash = (word: string): boolean =>
  OF_CASH.some((words) => words.slice(0, 2).some((each) => each === word.toLowerCase()));

/** `tax 2025` is the report of a year, `tax AAPL 1.88` an entry. */
const OF_TAX_REPORT = /^(?:(?:19|20)\d\d(?:년(?:도|분)?)?|kr|us|한국|미국|국내|--.*)$/iu;

/** Words without a verb of their own are a portfolio's name, or an entry of a rare kind. */
export const portfolioSubcommandOf = (words: readonly string[], named: string | undefined): string => {
  const [first, ...rest] = words;
  if (named === 'tax' && !rest.every((word) => OF_TAX_REPORT.test(word))) return 'other';
  if (named !== undefined) return named;
  if (first === undefined || first.startsWith('--')) return 'summary';
  return isCash(first) ? 'cash' : 'other';
};

export const PORTFOLIO_SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'summary',
    nameKo: '요약',
    description: { ko: '보유 종목과 손익을 봅니다', en: 'your holdings and gains' },
    options: [PORTFOLIO, THEME],
  },
  {
    name: 'buy',
    nameKo: '매수',
    description: { ko: '매수를 기록합니다', en: 'records a purchase' },
    words: ['add'],
    ...TRADE,
  },
  {
    name: 'sell',
    nameKo: '매도',
    description: { ko: '매도를 기록합니다', en: 'records a sale' },
    ...TRADE,
  },
  {
    name: 'dividend',
    nameKo: '배당',
    description: { ko: '받은 배당을 기록합니다', en: 'records a dividend' },
    options: [SYMBOL, AMOUNT, DATE, PORTFOLIO, NOTE, YES],
    fills: ['symbol', 'amount'],
  },
  {
    name: 'split',
    nameKo: '분할',
    description: { ko: '액면분할이나 병합을 기록합니다', en: 'records a split' },
    options: [
      SYMBOL,
      {
        name: 'ratio',
        nameKo: '비율',
        description: { ko: '비율, 예: 5:1 (병합은 1:10)', en: 'ratio, e.g. 5:1 (a reverse split: 1:10)' },
        type: 'text',
        isRequired: true,
      },
      DATE,
      PORTFOLIO,
      NOTE,
      YES,
    ],
    fills: ['symbol', 'ratio'],
  },
  {
    name: 'rights',
    nameKo: '유상증자',
    description: { ko: '유상증자를 기록합니다', en: 'records a rights issue' },
    ...TRADE,
  },
  {
    name: 'cash',
    nameKo: '입출금',
    description: {
      ko: '입금, 출금, 계좌 수수료, 이자를 기록합니다',
      en: 'records a deposit, a withdrawal, a fee or interest',
    },
    typed: '',
    options: [
      {
        name: 'kind',
        nameKo: '종류',
        description: { ko: '무엇을 기록할지', en: 'what to record' },
        type: 'text',
        isRequired: true,
        choices: OF_CASH.map(([value, word, ko, en]) => ({ value, label: { ko, en }, words: [word] })),
      },
      AMOUNT,
      DATE,
      PORTFOLIO,
      NOTE,
      YES,
    ],
    fills: ['kind', 'amount'],
  },
  {
    name: 'fx',
    nameKo: '환전',
    description: { ko: '환전을 기록합니다', en: 'records a currency exchange' },
    options: [
      {
        name: 'amounts',
        nameKo: '금액',
        description: {
          ko: '낸 돈과 받은 돈, 예: 1,450,000 KRW 1,000 USD',
          en: 'given and received, e.g. 1450000 KRW 1000 USD',
        },
        type: 'text',
        isRequired: true,
      },
      DATE,
      PORTFOLIO,
      NOTE,
      YES,
    ],
  },
  {
    name: 'other',
    nameKo: '기타',
    description: {
      ko: '이체, 무상증자, 병합, 인적분할, 합병, 감자, 세금 등',
      en: 'records a transfer, spin-off, merger, return of capital, tax …',
    },
    typed: '',
    options: [
      {
        name: 'entry',
        nameKo: '기록',
        description: {
          ko: '예: 이체 AAPL 10주 기본에서 연금으로 · 합병 VMW 10주 AVGO 3주',
          en: 'e.g. transfer AAPL 10 to pension · spin-off GE GEV 25 19.8%',
        },
        type: 'text',
        isRequired: true,
      },
      DATE,
      PORTFOLIO,
      NOTE,
      YES,
    ],
  },
  {
    name: 'history',
    nameKo: '내역',
    description: { ko: '거래 내역을 봅니다', en: 'your entries' },
    options: [
      {
        name: 'page',
        nameKo: '페이지',
        description: { ko: '몇 번째 페이지', en: 'which page' },
        type: 'integer',
        min: 1,
        max: 9_999,
      },
      { ...SYMBOL, isRequired: false },
      PORTFOLIO,
    ],
  },
  {
    name: 'undo',
    nameKo: '취소',
    description: { ko: '기록을 취소합니다', en: 'undoes an entry' },
    options: [
      {
        name: 'number',
        nameKo: '번호',
        description: {
          ko: '기록 번호 (비우면 마지막 기록)',
          en: 'number of the entry (the last one if left out)',
        },
        type: 'text',
        suggest: 'entry',
      },
      PORTFOLIO,
    ],
  },
  {
    name: 'import',
    nameKo: '가져오기',
    description: {
      ko: '증권사 파일이나 앱 화면을 가져옵니다',
      en: "records the entries of a broker's file or screenshot",
    },
    options: [
      {
        name: 'file',
        nameKo: '파일',
        description: {
          ko: '증권사 파일 (CSV, 엑셀) 또는 앱 화면 캡처',
          en: 'file of your broker (CSV, Excel), or a screenshot of its app',
        },
        type: 'file',
      },
      {
        name: 'confirm',
        nameKo: '확정',
        description: {
          ko: '미리보기의 코드로 확정, 예: 확인 CODE',
          en: 'confirms a preview, e.g. confirm CODE',
        },
        type: 'text',
      },
      PORTFOLIO,
    ],
  },
  {
    name: 'export',
    nameKo: '내보내기',
    description: { ko: 'CSV 파일로 내보냅니다', en: 'exports your entries as CSV' },
    options: [PORTFOLIO],
  },
  {
    name: 'analysis',
    nameKo: '분석',
    description: { ko: '수익률과 위험을 분석합니다', en: 'return and risk' },
    options: [RANGE, BENCHMARK, PORTFOLIO, THEME],
  },
  {
    name: 'actions',
    nameKo: '배당확인',
    description: {
      ko: '보유 종목의 분할·배당과 기록 여부를 봅니다',
      en: 'splits and dividends of what you hold',
    },
    options: [
      {
        name: 'change',
        nameKo: '변경',
        description: {
          ko: '예: 기록 전체 · 숨기기 AAPL · 복원 AAPL',
          en: 'e.g. record all · dismiss AAPL · restore AAPL',
        },
        type: 'text',
      },
      PORTFOLIO,
      YES,
    ],
  },
  {
    name: 'tax',
    nameKo: '세금',
    description: {
      ko: '한 해의 양도세와 배당 세금을 요약합니다',
      en: 'gains, dividends and taxes of a year',
    },
    options: [
      {
        name: 'year',
        nameKo: '연도',
        description: { ko: '예: 2025', en: 'e.g. 2025' },
        type: 'integer',
        min: 1990,
        max: 2100,
      },
      {
        name: 'basis',
        nameKo: '기준',
        description: { ko: '어느 나라의 기준', en: 'rules of which country' },
        type: 'text',
        choices: [
          { value: 'kr', label: { ko: '한국', en: 'Korea' }, words: ['한국'] },
          { value: 'us', label: { ko: '미국', en: 'US' }, words: ['미국'] },
        ],
      },
      PORTFOLIO,
    ],
  },
  {
    name: 'rebalance',
    nameKo: '리밸런싱',
    description: { ko: '목표 비중에 맞추는 매매를 계산합니다', en: 'trades towards target weights' },
    options: [WEIGHTS, CAN_SELL, PORTFOLIO],
  },
  {
    name: 'target',
    nameKo: '목표',
    description: { ko: '목표 비중을 저장합니다', en: 'stores target weights' },
    options: [WEIGHTS, PORTFOLIO],
  },
  { name: 'list', nameKo: '목록', description: { ko: '포트폴리오 목록', en: 'lists your portfolios' } },
  {
    name: 'new',
    nameKo: '새로',
    description: { ko: '새 포트폴리오를 만듭니다', en: 'creates a portfolio' },
    options: [
      {
        name: 'name',
        nameKo: '이름',
        description: { ko: '새 포트폴리오의 이름', en: 'name of the new portfolio' },
        type: 'text',
        isRequired: true,
      },
      {
        name: 'currency',
        nameKo: '통화',
        description: { ko: '기준 통화, 예: KRW, USD', en: 'its currency, e.g. USD, KRW' },
        type: 'text',
      },
    ],
  },
  {
    name: 'use',
    nameKo: '사용',
    description: { ko: '기본 포트폴리오를 정합니다', en: 'chooses the default portfolio' },
    options: [{ ...PORTFOLIO, isRequired: true }],
    fills: ['portfolio'],
  },
  {
    name: 'cost',
    nameKo: '원가',
    description: { ko: '원가 계산법을 정합니다', en: 'how cost is counted' },
    options: [
      {
        name: 'method',
        nameKo: '방법',
        description: { ko: '계산법 (비우면 현재 설정)', en: 'the method (leave it out to see yours)' },
        type: 'text',
        choices: [
          { value: 'average', label: { ko: '이동평균', en: 'average' } },
          { value: 'fifo', label: { ko: '선입선출', en: 'first in, first out' } },
        ],
      },
      PORTFOLIO,
    ],
  },
  {
    name: 'short',
    nameKo: '공매도',
    description: { ko: '공매도 기록을 허용하거나 막습니다', en: 'allows short sales' },
    options: [
      {
        name: 'allowed',
        nameKo: '허용',
        description: { ko: '비우면 지금 설정을 봅니다', en: 'leave it out to see the setting' },
        type: 'text',
        choices: [
          { value: 'on', label: { ko: '허용', en: 'allowed' } },
          { value: 'off', label: { ko: '허용 안 함', en: 'not allowed' } },
        ],
      },
      PORTFOLIO,
    ],
  },
  {
    name: 'account',
    nameKo: '계좌',
    description: { ko: 'ISA나 연금계좌로 표시합니다', en: 'marks a Korean ISA or pension' },
    options: [
      {
        name: 'kind',
        nameKo: '종류',
        description: { ko: '계좌의 종류', en: 'kind of account' },
        type: 'text',
        choices: [
          { value: 'isa', label: { ko: 'ISA', en: 'ISA' } },
          { value: 'pension', label: { ko: '연금 (연금저축, IRP)', en: 'pension' }, words: ['연금'] },
          { value: 'ordinary', label: { ko: '일반', en: 'ordinary' }, words: ['일반'] },
        ],
      },
      PORTFOLIO,
    ],
  },
  {
    name: 'delete',
    nameKo: '삭제',
    description: { ko: '포트폴리오를 삭제합니다', en: 'deletes a portfolio' },
    options: [
      { ...PORTFOLIO, isRequired: true },
      { ...YES, description: { ko: '정말 삭제합니다', en: 'really deletes it' } },
    ],
    fills: ['portfolio'],
  },
];
