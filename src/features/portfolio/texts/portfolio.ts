import { counted, localized } from '#src/kernel/locale.ts';
import { type InCurrency, portfolioEntriesEn, portfolioEntriesKo } from './entries.ts';
import type { Named } from './kinds.ts';
import { portfolioProblemsEn, portfolioProblemsKo } from './problems.ts';
import { portfolioRatesEn, portfolioRatesKo } from './rates.ts';

interface Typed {
  readonly typed: string;
}

interface MissingCash {
  readonly currency: string;
  readonly missing: string;
  /** The arguments of the suggested command. */
  readonly entry: string;
}

const HELP_EN = [
  '- `add`, `sell`, `dividend`, `split`: `/portfolio add AAPL 10 190.5`, `/portfolio sell AAPL all`; with a time: `/portfolio add AAPL 10 190.5 14:30`',
  '- `deposit`, `withdraw`, `fee`, `fx`, `interest`: `/portfolio deposit 1000 USD`, `/portfolio interest 12 USD tax 1.8`',
  '- `tax`, `refund`: withheld tax on its own line, `/portfolio tax AAPL 1.88`',
  '- `rights`, `bonus`, `cash in lieu`: `/portfolio bonus AAPL 3`, `/portfolio cash-in-lieu AAPL 0.5 shares $75`',
  '- `spin-off`, `merger`, `capital-return`: `/portfolio spin-off GE GEV 25 19.8%` (part of the cost), `/portfolio merger VMW 10 AVGO 3`',
  '- `transfer`: to another portfolio of yours, `/portfolio transfer AAPL 10 from main to pension`',
  '- `history`, `undo`: `/portfolio history AAPL`, `/portfolio undo 12`',
  '- `summary`, `analysis`, `actions` (splits and dividends): `/portfolio analysis 6mo`',
  '- `tax`: gains and taxes of a year, `/portfolio tax 2025`',
  '- `rebalance`, `target`: `/portfolio rebalance AAPL 40 MSFT 30 cash 30`, `+$500` for new money',
  '- `import`: a file of your broker, CSV or Excel; `export`: as CSV',
  '- `list`, `new`, `use`, `delete`: `/portfolio new pension USD`',
  '- `cost`, `short`, `account`: how cost is counted, whether short sales are taken, a Korean ISA or pension',
].join('\n');

const HELP_KO = [
  '- `매수`, `매도`, `배당`, `분할`, `병합`: `/portfolio 매수 삼성전자 10주 71,000원`, `/portfolio 매도 삼성전자 전량`; 시각도 적을 수 있어요: `/portfolio 매수 삼성전자 10주 71,000원 14:30`',
  '- `입금`, `출금`, `수수료`, `환전`, `이자`: `/portfolio 입금 100만원`, `/portfolio 이자 1만2천원 세금 1,890원`',
  '- `세금`, `환급`: 따로 빠져나간 세금, `/portfolio 세금 AAPL 1.88달러`',
  '- `유상증자`, `무상증자`, `단주대금`: `/portfolio 무상증자 삼성전자 3주`, `/portfolio 단주대금 AAPL 0.5주 75달러`',
  '- `인적분할`, `합병`, `자본환급`: `/portfolio 인적분할 GE GEV 25주 19.8%`(원가 비율), `/portfolio 합병 VMW 10주 AVGO 3주`',
  '- `이체`: 내 다른 포트폴리오로 옮기기, `/portfolio 이체 AAPL 10주 기본에서 연금으로`',
  '- `내역`, `취소`: `/portfolio 내역 삼성전자`, `/portfolio 취소 12`',
  '- `요약`, `분석`, `배당확인`(분할·배당): `/portfolio 분석 6개월`',
  '- `세금`: 그해의 양도차익과 세금, `/portfolio 세금 2025`',
  '- `리밸런싱`, `목표`: `/portfolio 리밸런싱 AAPL 40 삼성전자 30 현금 30`, 새 돈은 `새 돈 100만원`',
  '- `가져오기`: 증권사 파일(CSV, 엑셀), `내보내기`: CSV 파일',
  '- `목록`, `새로`, `사용`, `삭제`: `/portfolio 새로 연금 USD`',
  '- `원가`, `공매도`, `계좌`: 원가 계산법, 공매도 허용, ISA·연금계좌 표시',
].join('\n');

/** Messages about portfolios; those about entries, problems and rates are included. */
const portfolioEn = {
  problems: portfolioProblemsEn,
  ...portfolioEntriesEn,
  rateMessages: portfolioRatesEn,
  title: (p: Named) => `**Portfolio ${p.name}**`,
  cardTitle: (p: Named) => `Portfolio ${p.name}`,
  others: (p: { readonly names: string }) => `Your other portfolios: ${p.names} (\`/portfolio --in=NAME\`)`,
  columns: {
    name: 'Name',
    quantity: 'Qty',
    average: 'Cost',
    value: 'Value',
    gain: 'Gain',
    day: 'Day',
  },
  rest: (p: { readonly count: number }) => counted(p.count, 'other'),
  totalValue: 'Total value',
  totalUnknown: 'Total value not known right now',
  /** Instead of a total that lacks some of its parts. */
  knownValue: (p: { readonly value: string; readonly of: string }) => `Known so far: ${p.value} (${p.of})`,
  ofHoldings: (p: { readonly known: number; readonly all: number }) =>
    `${p.known} of ${counted(p.all, 'holding')}`,
  dayChange: 'Day',
  unrealised: 'Gain',
  fromPrice: 'from price',
  fromFx: 'from exchange rate',
  realised: 'Realised gain',
  dividends: 'Dividends',
  taxedDividends: (p: { readonly net: string; readonly gross: string }) =>
    `${p.net} after tax (${p.gross} before)`,
  untaxedDividends: (p: { readonly gross: string }) => `${p.gross} before tax`,
  interest: 'Interest after tax',
  cash: 'Cash',
  cashFx: 'Exchange gain on cash',
  fees: 'Fees paid',
  taxes: 'Taxes paid',
  accountFees: 'including account fees of',
  short: 'short',
  detailTitle: 'Average cost → price · gain:',
  holdings: 'Holdings',
  /** A note in a picture, because a ring cannot show negative parts. */
  belowZero: (p: { readonly parts: string }) => `Below zero, not drawn: ${p.parts}`,
  /** Cash is negative, most likely because an entry is missing. */
  depositMissing: (p: MissingCash) =>
    `⚠️ Cash in ${p.currency} is ${p.missing} short. If you have not recorded a deposit yet, add it: \`/portfolio deposit ${p.entry}\`.`,
  exchangeMissing: (p: MissingCash) =>
    `⚠️ Cash in ${p.currency} is ${p.missing} short. If you have not recorded an exchange yet, add it with what you paid: \`/portfolio fx ${p.entry}\`.`,
  /** Why sums are incomplete. */
  unpriced: (p: { readonly names: string }) => `⚠️ No price right now, left out of the sums: ${p.names}`,
  unpricedYet: (p: { readonly names: string }) =>
    `⚠️ The market data source takes only a few requests a minute at the moment, so the sums lack these so far: ${p.names}. Please ask again in a minute.`,
  unrated: (p: { readonly names: string; readonly currency: string }) =>
    `⚠️ No exchange rate to ${p.currency} right now, left out of the sums: ${p.names}`,
  uncosted: (p: { readonly names: string; readonly currency: string }) =>
    `⚠️ Some entries have no exchange rate of their day, so gains in ${p.currency} leave out: ${p.names}`,
  outsideSession: (p: { readonly session: string; readonly names: string }) =>
    `Prices outside regular hours (${p.session}): ${p.names}`,
  staleNames: (p: { readonly names: string }) => `⚠️ Old prices: ${p.names}`,
  undated: (p: { readonly names: string }) => `Change from the previous close not known for: ${p.names}`,
  prices: 'Prices',
  rates: 'Exchange rates',
  method: {
    average: 'Average cost, fees and taxes included',
    fifo: 'First in, first out, fees and taxes included',
  },
  nothingHeld: 'Nothing is held right now.',
  detailsButton: 'Details',
  historyButton: 'History',
  analysisButton: 'Analysis',
  openButton: (p: Named) => `Show ${p.name}`,
  empty: () =>
    'Nothing recorded yet. Start with what you have:\n- `/portfolio add AAPL 10 190.5`\n- `/portfolio add MSFT 5 410 2026-11-13`\n- `/portfolio import` with a file of your broker\n\nOnly you see it.',
  unknown: (p: Typed & { readonly names: string }) =>
    `You have no portfolio "${p.typed}". Yours: ${p.names}. A new one: \`/portfolio new NAME\`.`,
  unknownFirst: (p: Typed) =>
    `You have no portfolio "${p.typed}" yet. Make it with \`/portfolio new NAME\`, or leave the name out.`,
  broken: (p: Named & { readonly why: string }) =>
    `The entries of ${p.name} do not add up, so nothing can be computed. ${p.why}`,

  listTitle: '**Your portfolios** (★ is the default)',
  defaultMark: '★',
  takesShort: 'short sales allowed',
  methods: { average: 'average cost', fifo: 'first in, first out' },
  accounts: { isa: 'ISA', pension: 'pension account' },
  accountButton: (p: Named & { readonly kind: string }) => `${p.name} is a Korean ${p.kind}`,
  accountSet: (p: Named & { readonly kind: string }) =>
    `**${p.name}** is marked as a Korean ${p.kind}. The tax report leaves it out.`,
  accountOff: (p: Named) => `**${p.name}** is an ordinary account again.`,
  accountUsage: () =>
    'Which kind of Korean account? `/portfolio account isa`, `/portfolio account pension` or `/portfolio account ordinary`.',
  created: (p: InCurrency) =>
    `Created **${p.name}** (${p.currency}). Make it the default: \`/portfolio use ${p.name}\``,
  createdFirst: (p: InCurrency) => `Created **${p.name}** (${p.currency}), your default portfolio.`,
  nameTaken: (p: Named) => `You have a portfolio "${p.name}" already. Please choose another name.`,
  badName: () =>
    'A name is one word of up to 24 letters, digits, `-` or `_`, for example `/portfolio new pension USD`.',
  tooMany: (p: { readonly limit: number }) =>
    `You have ${counted(p.limit, 'portfolio')}, which is the maximum. Delete one first with \`/portfolio delete NAME\`.`,
  coinBase: () => 'A portfolio needs a currency such as `KRW` or `USD`, not a coin.',
  nowDefault: (p: Named) => `**${p.name}** is the default portfolio now.`,
  costSet: (p: Named & { readonly method: string }) => `**${p.name}** now uses ${p.method}.`,
  shortOn: (p: Named) => `**${p.name}** now records sales of more than you hold as short sales.`,
  shortOff: (p: Named) => `**${p.name}** now refuses sales of more than you hold.`,
  shortNeeded: (p: Named & { readonly why: string }) =>
    `Short sales cannot be turned off: **${p.name}** has one. ${p.why}`,
  costUsage: () => 'Which cost method? `/portfolio cost average` or `/portfolio cost fifo`.',
  shortUsage: () => 'Allow short sales? `/portfolio short on` or `/portfolio short off`.',
  confirmDelete: (p: Named & { readonly count: number }) =>
    `This deletes the portfolio **${p.name}** with all its entries (${p.count}) for good. Save it first with \`/portfolio export --in=${p.name}\` if you want to keep them.`,
  deleteButton: (p: Named) => `Delete ${p.name}`,
  deleted: (p: Named & { readonly count: number }) =>
    `The portfolio **${p.name}** and its entries (${p.count}) were deleted.`,
  full: (p: { readonly limit: string }) =>
    `Nothing was recorded, because your portfolios together may have ${counted(p.limit, 'entry', 'entries')}, undone ones included. Save an old portfolio with \`/portfolio export --in=name\`, delete it with \`/portfolio delete name\`, and try again.`,
  gone: (p: Named) => `The portfolio ${p.name} no longer exists. \`/portfolio list\` shows yours.`,
  deleteUsage: () => 'Which one? `/portfolio delete NAME`; `/portfolio list` shows the names.',
  unknownAction: (p: Typed) => `I do not know "${p.typed}" for portfolios.\n\n${HELP_EN}`,
  help: () => `**What /portfolio can do**\n${HELP_EN}`,
  leftOver: (p: Typed & { readonly example: string }) =>
    `I do not understand "${p.typed}", so I did nothing. For example: \`/portfolio ${p.example}\`.`,
  /** Follows `leftOver`. */
  noteGoes: () => 'To keep a note with an entry: `/portfolio fee 3 USD --note=wire`',
  portion: (p: Typed & { readonly example: string }) =>
    `"${p.typed}" is a part of what you hold, so it goes with a sale alone, and nothing was recorded. Please write the number, for example \`/portfolio ${p.example}\`.`,
  fractionOrDay: (p: Typed) =>
    `"${p.typed}" can be a day or a part of one share, so nothing was recorded. For the part, write \`${p.typed} share\`; for the day, write the quantity first, as in \`/portfolio add AAPL 10 190.5 ${p.typed}\`.`,
  /** Example arguments of `/portfolio`. */
  examples: {
    'spin-off': 'spin-off GE GEV 25 19.8%',
    merger: 'merger VMW 10 AVGO 3',
    'capital-return': 'capital-return KMI 30 USD',
    'transfer-out': 'transfer AAPL 10 from main to pension',
    'transfer-in': 'transfer AAPL 10 from main to pension',
    buy: 'add AAPL 10 190.5 2026-11-13 fee 1',
    sell: 'sell AAPL 5 200 2026-11-13',
    dividend: 'dividend AAPL 12.5 tax 1.88',
    split: 'split AAPL 4:1 2026-11-13',
    deposit: 'deposit 1000 USD 2026-11-13',
    withdrawal: 'withdraw 500 USD',
    fee: 'fee 3 USD',
    fx: 'fx 1,300,000 KRW to 1,000 USD',
    interest: 'interest 12 USD tax 1.85',
    tax: 'tax AAPL 1.88 USD',
    'cash-in-lieu': 'cash-in-lieu AAPL 0.5 shares $75',
    rights: 'rights AAPL 5 50 USD',
    undo: 'undo 12',
    preview: 'import confirm CODE all',
    analyse: 'analysis 6mo',
    'tax-report': 'tax 2025',
  },
  rangeUsage: () =>
    'The analysis covers `3mo`, `6mo`, `ytd`, `1y` or `2y`, for example `/portfolio analysis 2y`.',
  turnedNumber: () =>
    'Hidden characters reverse a number in it, so nothing was recorded. Please type the numbers yourself.',
};

const portfolioKo: typeof portfolioEn = {
  problems: portfolioProblemsKo,
  ...portfolioEntriesKo,
  rateMessages: portfolioRatesKo,
  title: (p) => `**포트폴리오 ${p.name}**`,
  cardTitle: (p) => `포트폴리오 ${p.name}`,
  others: (p) => `다른 포트폴리오: ${p.names} (\`/portfolio --in=이름\`)`,
  columns: {
    name: '종목',
    quantity: '수량',
    average: '평단',
    value: '평가금액',
    gain: '수익률',
    day: '당일',
  },
  rest: (p) => `그 외 ${p.count}종목`,
  totalValue: '총 평가금액',
  totalUnknown: '총 평가금액: 지금은 알 수 없음',
  knownValue: (p) => `지금까지 확인된 평가금액 ${p.value} (${p.of})`,
  ofHoldings: (p) => `${p.all}종목 중 ${p.known}종목`,
  dayChange: '당일',
  unrealised: '평가손익',
  fromPrice: '가격 변동',
  fromFx: '환율 변동',
  realised: '실현손익',
  dividends: '배당금',
  taxedDividends: (p) => `세후 ${p.net} (세전 ${p.gross})`,
  untaxedDividends: (p) => `세전 ${p.gross}`,
  interest: '세후 이자',
  cash: '현금',
  cashFx: '현금 환차손익',
  fees: '낸 수수료',
  taxes: '낸 세금',
  accountFees: '이 중 계좌 수수료',
  short: '공매도',
  detailTitle: '평균단가 → 현재가 · 평가손익:',
  holdings: '보유 종목',
  belowZero: (p) => `0보다 작아 그리지 않음: ${p.parts}`,
  depositMissing: (p) =>
    `⚠️ ${p.currency} 현금이 ${p.missing} 모자라요. 빠뜨린 입금이 있으면 기록해 주세요. 예: \`/portfolio 입금 ${p.entry}\``,
  exchangeMissing: (p) =>
    `⚠️ ${p.currency} 현금이 ${p.missing} 모자라요. 빠뜨린 환전이 있으면 기록해 주세요. 예: \`/portfolio 환전 ${p.entry}\``,
  unpricedYet: (p) =>
    `⚠️ 시세 제공처가 지금 1분에 몇 건만 조회를 받아 아직 합계에 넣지 못했어요: ${p.names}. 1분 뒤에 다시 물어봐 주세요.`,
  unpriced: (p) => `⚠️ 지금 시세가 없어 합계에서 뺐어요: ${p.names}`,
  unrated: (p) => `⚠️ 지금 ${p.currency} 환율이 없어 합계에서 뺐어요: ${p.names}`,
  uncosted: (p) => `⚠️ 거래일 환율이 없는 기록이 있어 ${p.currency} 기준 손익에서 뺐어요: ${p.names}`,
  outsideSession: (p) => `정규장 밖 시세(${p.session}): ${p.names}`,
  staleNames: (p) => `⚠️ 오래된 시세: ${p.names}`,
  undated: (p) => `전일 종가 대비 등락을 알 수 없는 종목: ${p.names}`,
  prices: '시세',
  rates: '환율',
  method: {
    average: '평균단가법, 수수료와 세금 포함',
    fifo: '선입선출법, 수수료와 세금 포함',
  },
  nothingHeld: '지금 보유한 종목이 없어요.',
  detailsButton: '자세히',
  historyButton: '거래 내역',
  analysisButton: '분석',
  openButton: (p) => `‘${p.name}’ 보기`,
  empty: () =>
    '아직 기록이 없어요. 가진 종목부터 적어 보세요:\n- `/portfolio 매수 삼성전자 10주 71,000원`\n- `/portfolio 매수 카카오 5주 48,000원 11/13`\n- `/portfolio 가져오기`와 증권사 파일\n\n나에게만 보여요.',
  unknown: (p) =>
    `"${p.typed}" 포트폴리오가 없어요. 가지고 계신 포트폴리오: ${p.names}. 새로 만들려면 \`/portfolio 새로 이름\`을 입력해 주세요.`,
  unknownFirst: (p) =>
    `"${p.typed}" 포트폴리오가 아직 없어요. \`/portfolio 새로 이름\`으로 만드시거나 이름을 빼고 입력해 주세요.`,
  broken: (p) => `${p.name} 포트폴리오의 기록이 서로 맞지 않아 계산할 수 없어요. ${p.why}`,

  listTitle: '**내 포트폴리오** (★: 기본 포트폴리오)',
  defaultMark: '★',
  takesShort: '공매도 허용',
  methods: { average: '평균단가법', fifo: '선입선출법' },
  accounts: { isa: 'ISA', pension: '연금계좌' },
  accountButton: (p) => `${p.name}: ${p.kind}로 표시`,
  accountSet: (p) => `**${p.name}** 포트폴리오를 ${p.kind}로 표시했어요. 세금 요약에서 제외해요.`,
  accountOff: (p) => `**${p.name}** 포트폴리오를 일반 계좌로 되돌렸어요.`,
  accountUsage: () =>
    '어떤 계좌인가요? `/portfolio 계좌 isa`, `/portfolio 계좌 pension`(연금) 또는 `/portfolio 계좌 ordinary`(일반)를 입력해 주세요.',
  created: (p) =>
    `포트폴리오를 만들었어요: **${p.name}** (${p.currency}). 기본으로 쓰려면 \`/portfolio use ${p.name}\``,
  createdFirst: (p) => `포트폴리오를 만들었어요: **${p.name}** (${p.currency}). 기본으로 쓸게요.`,
  nameTaken: (p) => `"${p.name}" 포트폴리오가 이미 있어요. 다른 이름을 적어 주세요.`,
  badName: () =>
    '이름은 글자, 숫자, `-`, `_`로 된 한 단어로 24자까지 쓸 수 있어요. 예: `/portfolio 새로 연금 USD`',
  tooMany: (p) =>
    `포트폴리오는 ${p.limit}개까지 만들 수 있어요. 먼저 \`/portfolio 삭제 이름\`으로 하나를 지워 주세요.`,
  coinBase: () => '포트폴리오의 기준 통화는 `KRW`, `USD` 같은 화폐여야 하며 코인은 쓸 수 없어요.',
  nowDefault: (p) => `기본 포트폴리오를 바꿨어요: **${p.name}**`,
  costSet: (p) => `**${p.name}** 포트폴리오의 원가를 이제 ${p.method}으로 계산해요.`,
  shortOn: (p) => `**${p.name}** 포트폴리오는 이제 보유 수량을 넘는 매도를 공매도로 기록해요.`,
  shortOff: (p) => `**${p.name}** 포트폴리오는 이제 보유 수량을 넘는 매도를 거절해요.`,
  shortNeeded: (p) => `**${p.name}** 포트폴리오에 공매도 기록이 있어 끌 수 없어요. ${p.why}`,
  costUsage: () =>
    '원가를 어떻게 계산할까요? `/portfolio cost average`(평균) 또는 `/portfolio cost fifo`(선입선출)를 입력해 주세요.',
  shortUsage: () => '공매도를 기록할까요? `/portfolio short on` 또는 `/portfolio short off`를 입력해 주세요.',
  confirmDelete: (p) =>
    `**${p.name}** 포트폴리오와 기록 ${p.count}건을 모두 지우며, 되돌릴 수 없어요. 남겨 두시려면 먼저 \`/portfolio 내보내기 --in=${p.name}\` 명령으로 저장해 주세요.`,
  deleteButton: (p) => `${p.name} 삭제`,
  deleted: (p) => `**${p.name}** 포트폴리오와 기록 ${p.count}건을 삭제했어요.`,
  full: (p) =>
    `포트폴리오 기록은 취소한 것까지 모두 합쳐 ${p.limit}건까지만 남길 수 있어 기록하지 않았어요. 오래된 포트폴리오를 \`/portfolio 내보내기 --in=이름\`으로 저장하고 \`/portfolio 삭제 이름\`으로 지운 뒤 다시 시도해 주세요.`,
  gone: (p) => `${p.name} 포트폴리오가 더 이상 없어요. \`/portfolio 목록\`에서 확인해 주세요.`,
  deleteUsage: () =>
    '어느 포트폴리오인가요? `/portfolio 삭제 이름`을 입력해 주세요. 이름은 `/portfolio 목록`에 있어요.',
  unknownAction: (p) => `포트폴리오에서 알 수 없는 말이에요: "${p.typed}"\n\n${HELP_KO}`,
  help: () => `**/portfolio 사용법**\n${HELP_KO}`,
  leftOver: (p) =>
    `이해하지 못한 말이 있어 아무것도 하지 않았어요: "${p.typed}". 예: \`/portfolio ${p.example}\``,
  noteGoes: () => '메모를 함께 남기려면 이렇게 적어 주세요: `/portfolio 입금 1000000 KRW --note=월급`',
  portion: (p) =>
    `보유 수량의 일부나 전부를 뜻하는 말은 매도에만 쓸 수 있어 기록하지 않았어요: "${p.typed}". 숫자로 적어 주세요. 예: \`/portfolio ${p.example}\``,
  fractionOrDay: (p) =>
    `날짜로도, 1주의 일부로도 읽을 수 있어 기록하지 않았어요: "${p.typed}". 소수점 수량이면 \`${p.typed}주\`라고 적고, 날짜라면 \`/portfolio 매수 삼성전자 10주 71,000원 ${p.typed}\`처럼 수량과 가격 뒤에 적어 주세요.`,
  examples: {
    'spin-off': '인적분할 GE GEV 25주 19.8%',
    merger: '합병 VMW 10주 AVGO 3주',
    'capital-return': '자본환급 KMI 30달러',
    'transfer-out': '이체 AAPL 10주 기본에서 연금으로',
    'transfer-in': '이체 AAPL 10주 기본에서 연금으로',
    buy: '매수 삼성전자 10주 71,000원 11/13 수수료 500',
    sell: '매도 삼성전자 5주 80,000원 11/13',
    dividend: '배당 삼성전자 3,610원 세금 550',
    split: '분할 AAPL 4:1 11/13',
    deposit: '입금 100만원 11/13',
    withdrawal: '출금 50만원',
    fee: '수수료 1,000원',
    fx: '환전 130만원 1,000달러',
    interest: '이자 1만2천원 세금 1,890원',
    tax: '세금 AAPL 1.88달러',
    'cash-in-lieu': '단주대금 AAPL 0.5주 75달러',
    rights: '유상증자 삼성전자 5주 50,000원',
    undo: '취소 12',
    preview: '가져오기 확인 코드 전체',
    analyse: '분석 6개월',
    'tax-report': '세금 2025',
  },
  rangeUsage: () =>
    '분석 기간은 `3개월`, `6개월`, `올해`, `1년`, `2년` 중에서 고를 수 있어요. 예: `/portfolio 분석 2년`',
  turnedNumber: () =>
    '숫자의 방향을 바꾸는 보이지 않는 문자가 있어 기록하지 않았어요. 숫자를 직접 입력해 주세요.',
};

export const portfolioTexts = localized({ en: portfolioEn, ko: portfolioKo });
