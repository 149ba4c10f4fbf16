import { counted, localized } from '#src/kernel/locale.ts';

interface Year {
  readonly year: number;
}

interface Named {
  readonly names: string;
}

interface Sum {
  readonly amount: string;
}

interface Counted extends Sum {
  readonly count: number;
}

const sales = (count: number): string => counted(count, 'sale');

/** Messages of the tax report. None of them gives advice. */
const taxEn = {
  lookingUp: 'Working out the tax report…',
  titleKorea: (p: Year & Named) => `**Tax report ${p.year} · resident of Korea** · ${p.names}`,
  titleTerms: (p: Year & { readonly name: string; readonly currency: string }) =>
    `**Realised gains ${p.year} · ${p.name}** · in ${p.currency}`,
  yearSoFar: (p: { readonly date: string }) => `The year is not over yet; these figures are as of ${p.date}.`,
  notBegun: (p: Year) => `${p.year} has not begun. Ask for this year or an earlier one.`,
  badYear: (p: { readonly typed: string }) =>
    `I cannot read “${p.typed}” as a year. Write it like \`/portfolio tax 2025\`.`,
  unclear: (p: { readonly typed: string }) =>
    `Is the number in “${p.typed}” a year or an amount? The report of a year is \`/portfolio tax 2025\`; to record a tax that you paid, add its currency: \`/portfolio tax AAPL 1.88 USD\`.`,
  nothing: (p: Year) => `Nothing was sold, and no dividend or interest was received in ${p.year}.`,
  notAdvice:
    'This is an estimate from your own entries, not tax advice. What your broker and the tax office say counts.',
  rules: 'How it is counted: `/help portfolio`',

  foreign: 'Foreign shares: capital gains tax',
  noForeign: 'No foreign shares were sold.',
  allUnrated: (p: { readonly count: number }) =>
    `${sales(p.count)} of foreign shares, in no sum as long as no exchange rate is known. Please ask again later.`,
  gain: (p: Counted & { readonly gains: string; readonly losses: string }) =>
    `Net gain: **${p.amount}** (gains ${p.gains} · losses ${p.losses}), ${sales(p.count)}`,
  deduction: (p: Sum) => `Deduction: ${p.amount} (once a year for each person, not for each portfolio)`,
  base: (p: Sum) => `Taxable: ${p.amount}`,
  tax: (p: Sum & { readonly income: string; readonly local: string }) =>
    `Estimated tax (22%): **${p.amount}** (income tax 20% ${p.income} · local tax 2% ${p.local})`,
  filing: (p: { readonly from: string; readonly to: string }) => `To be declared ${p.from} – ${p.to}`,
  otherMethod: {
    fifo: (p: Sum) => `By first in, first out the net gain would be ${p.amount}.`,
    average: (p: Sum) => `At average cost the net gain would be ${p.amount}.`,
  },
  moreNames: (p: Counted) => `${p.count} more: ${p.amount}`,

  domesticTitle: 'Sales in Korea',
  transactionTax: (p: Sum) => `Transaction tax in your entries: ${p.amount}`,
  domestic: (p: Counted) =>
    `Korean shares: ${sales(p.count)}, gain ${p.amount}. Not taxed, unless you are a major shareholder (\`대주주\`), which is not worked out here.`,
  domesticFund: (p: Counted) =>
    `Korean-listed funds: ${sales(p.count)}, gain ${p.amount}. Gains of funds on Korean shares are not taxed; of all others they are dividend income (15.4%), which your broker has withheld. They are not in the sums here.`,
  coin: (p: Counted) =>
    `Coins: ${sales(p.count)}, gain in won ${p.amount}. Gains before 2027-01-01 are not taxed (Income Tax Act as of December 2024).`,
  coinTaxed: (p: Counted) =>
    `Coins: ${sales(p.count)}, gain in won ${p.amount}. From 2027 on 22% above ₩2,500,000 of its own is due by the law of December 2024; it is not worked out here.`,
  other: (p: Counted) =>
    `Other assets: ${sales(p.count)}, gain in won ${p.amount}. No rule here covers them.`,
  uncounted: (p: { readonly count: number }) => `${sales(p.count)} in other currencies not counted`,

  incomeTitle: 'Dividends and interest, before tax',
  incomes: { dividend: 'Dividends', interest: 'Interest' },
  countries: {
    KRW: 'Korea',
    USD: 'United States',
    JPY: 'Japan',
    HKD: 'Hong Kong',
    GBP: 'United Kingdom',
    CNY: 'China',
    EUR: 'Euro area',
  },
  income: (p: { readonly of: string; readonly local: string; readonly won: string; readonly tax: string }) =>
    `${p.of}: ${p.local} = ${p.won}, tax withheld ${p.tax}`,
  incomeInWon: (p: { readonly of: string; readonly won: string; readonly tax: string }) =>
    `${p.of}: ${p.won}, tax withheld ${p.tax}`,
  line: (p: Sum) =>
    `Dividends and interest in all: **${p.amount}**. Above ₩20,000,000 a year, dividends and interest are taxed together with your other income.`,
  overLine: (p: Sum) =>
    `Dividends and interest in all: **${p.amount}**. This is above ₩20,000,000, so they are taxed together with your other income.`,

  notes: {
    rates: (p: Named) =>
      `Rates: market closes of the settlement day (${p.names}). The official rate (\`매매기준율\`) differs a little.`,
    settled:
      'Year and rate are those of the settlement in Korea: two business days after the trade (US sales three until 2024-05-27).',
    provisional: (p: { readonly count: number }) =>
      `${sales(p.count)}: the settlement day or its rate is provisional (it is today or lies ahead, or holidays of that year are not known here).`,
    method: {
      average:
        'Cost: moving average, as the portfolio is kept. The law’s default is first in, first out; a broker’s moving average is accepted.',
      fifo: 'Cost: first in, first out, as the portfolio is kept.',
      mixed: 'Cost: as each portfolio is kept, by average or by first in, first out.',
    },
    unrated: (p: Named) => `⚠️ No exchange rate, so in no total: ${p.names}`,
    standIns: (p: Named) =>
      `⚠️ Worked out at an earlier close, because the rate could not be asked for: ${p.names}. Ask again later for the exact sums.`,
    closeOf: (p: { readonly asked: string; readonly day: string }) => `${p.asked} (close of ${p.day})`,
    sample: '⚠️ SAMPLE exchange rates or prices: the sums in won are made up. Do not use them.',
    broken: (p: Named) => `⚠️ Left out, because the entries do not fit together: ${p.names}`,
    shorts: (p: { readonly count: number }) =>
      `Closed short sales are left out: ${p.count}. No rule here covers them.`,
    only: (p: Named) =>
      `Only ${p.names} is counted. The deduction and the netting are over all your portfolios: \`/portfolio tax\``,
    notCovered:
      'Not covered: other accounts, unlisted shares, major shareholders, special deductions (such as the reshoring account, RIA, of 2026).',
    apart: (p: Named) =>
      `Left out, as an ISA or a pension account is taxed on its own and not part of the ₩20,000,000: ${p.names}`,
    unmarked: (p: Named & { readonly first: string }) =>
      `Is ${p.names} a Korean ISA or pension account? Mark it, and it is left out: \`/portfolio account isa --in=${p.first}\``,
    noFile: 'For the list of all sales as a CSV file, ask me in a direct chat.',
    file: 'The CSV file has every sale with its days, rates and amounts.',
  },

  termGain: {
    short: (p: Counted) => `Short-term (held one year or less): **${p.amount}**, ${counted(p.count, 'lot')}`,
    long: (p: Counted) => `Long-term (held more than one year): **${p.amount}**, ${counted(p.count, 'lot')}`,
    'short-sale': (p: Counted) =>
      `Closed short sales (holding period not determined): **${p.amount}**, ${counted(p.count, 'lot')}`,
  },
  total: (p: Sum) => `Total: **${p.amount}**`,
  dividends: (p: Sum & { readonly tax: string }) =>
    `Dividends before tax: ${p.amount}, tax withheld ${p.tax}`,
  interest: (p: Sum & { readonly tax: string }) => `Interest before tax: ${p.amount}, tax withheld ${p.tax}`,
  termNote:
    'By trade date, oldest shares first, after fees, at the exchange rates of the trade dates. The one-year line is the US one. Wash sales are not checked, and no tax is computed.',
  koreaHint: 'For the tax of a resident of Korea: `/portfolio tax kr`',
  termHint: 'For gains by holding period, without tax: `/portfolio tax us`',

  terms: { short: 'short-term', long: 'long-term', 'short-sale': 'short sale' },
  columns: {
    portfolio: 'Portfolio',
    name: 'Name',
    symbol: 'Symbol',
    quantity: 'Quantity',
    acquiredFirst: 'Acquired from',
    acquiredLast: 'Acquired to',
    sold: 'Sold',
    settled: 'Settled',
    currency: 'Currency',
    proceeds: 'Proceeds',
    cost: 'Cost',
    charges: 'Fees and taxes of the sale',
    rate: 'Rate on settlement',
    rateDay: 'Day of the rate',
    wonProceeds: 'Proceeds (KRW)',
    wonCost: 'Cost (KRW)',
    wonCharges: 'Fees and taxes (KRW)',
    wonGain: 'Gain (KRW)',
    term: 'Term',
    baseProceeds: (p: { readonly currency: string }) => `Proceeds (${p.currency})`,
    baseCost: (p: { readonly currency: string }) => `Cost (${p.currency})`,
    baseGain: (p: { readonly currency: string }) => `Gain (${p.currency})`,
    note: 'Note',
  },
  provisionalMark: 'provisional',
  sampleMark: 'SAMPLE data',
  fileName: (p: Year) => `tax-${p.year}.csv`,
  yearButton: (p: Year) => `${p.year}`,
};

const taxKo: typeof taxEn = {
  lookingUp: '세금 요약 계산 중…',
  titleKorea: ({ year, names }) => `**${year}년 세금 요약 · 국내 거주자** · ${names}`,
  titleTerms: ({ year, name, currency }) => `**${year}년 실현손익 · ${name}** · ${currency} 기준`,
  yearSoFar: ({ date }) => `아직 끝나지 않은 해라 ${date} 기준으로 계산했어요.`,
  notBegun: ({ year }) => `${year}년은 아직 시작되지 않았어요. 올해나 지난 해로 물어봐 주세요.`,
  badYear: ({ typed }) => `“${typed}”에서 연도를 읽지 못했어요. \`/portfolio tax 2025\`처럼 적어 주세요.`,
  unclear: ({ typed }) =>
    `“${typed}”의 숫자가 연도인지 금액인지 알 수 없어요. 연도별 요약은 \`/portfolio 세금 2025\`, 낸 세금을 기록하려면 \`/portfolio 세금 AAPL 1.88달러\`처럼 통화와 함께 적어 주세요.`,
  nothing: ({ year }) => `${year}년에는 매도, 배당, 이자 기록이 없어요.`,
  notAdvice: '기록으로 계산한 추정치예요(세무 자문 아님). 신고는 증권사 자료와 국세청 안내를 따라 주세요.',
  rules: '계산 방법: `/help portfolio`',

  foreign: '해외주식 양도소득세',
  noForeign: '매도한 해외주식이 없어요.',
  allUnrated: ({ count }) =>
    `해외주식 매도 ${count}건은 아직 환율을 몰라 계산하지 못했어요. 나중에 다시 확인해 주세요.`,
  gain: ({ amount, gains, losses, count }) =>
    `양도차익: **${amount}** (이익 ${gains} · 손실 ${losses}), 매도 ${count}건`,
  deduction: ({ amount }) => `기본공제: ${amount} (포트폴리오별이 아니라 1인당 연 1회)`,
  base: ({ amount }) => `과세표준: ${amount}`,
  tax: ({ amount, income, local }) =>
    `예상 세액(22%): **${amount}** (소득세 20% ${income} · 지방소득세 2% ${local})`,
  filing: ({ from, to }) => `확정신고 기간: ${from} ~ ${to}`,
  otherMethod: {
    fifo: ({ amount }) => `선입선출로 계산하면 양도차익은 ${amount}이에요.`,
    average: ({ amount }) => `이동평균으로 계산하면 양도차익은 ${amount}이에요.`,
  },
  moreNames: ({ count, amount }) => `그 밖 ${count}종목: ${amount}`,

  domesticTitle: '국내 매도',
  transactionTax: ({ amount }) => `기록된 증권거래세: ${amount}`,
  domestic: ({ count, amount }) =>
    `국내 주식: 매도 ${count}건, 실현손익 ${amount}. 대주주가 아니면 양도소득세가 없어요.`,
  domesticFund: ({ count, amount }) =>
    `국내 상장 ETF: 매도 ${count}건, 실현손익 ${amount}. 국내 주식형은 비과세, 그 밖은 증권사가 배당소득세(15.4%)를 떼요. 아래 합계에는 없어요.`,
  coin: ({ count, amount }) =>
    `코인: 매도 ${count}건, 원화 실현손익 ${amount}. 2027-01-01 전의 양도는 과세되지 않아요(2024년 12월 개정 소득세법).`,
  coinTaxed: ({ count, amount }) =>
    `코인: 매도 ${count}건, 원화 실현손익 ${amount}. 2027년부터 250만 원을 넘는 금액에 22%가 과세돼요(2024년 12월 개정법). 여기서는 계산하지 않아요.`,
  other: ({ count, amount }) =>
    `그 밖의 자산: 매도 ${count}건, 원화 실현손익 ${amount}. 여기서 다루는 규정이 없어요.`,
  uncounted: ({ count }) => `다른 통화 매도 ${count}건 제외`,

  incomeTitle: '배당·이자 (세전)',
  incomes: { dividend: '배당', interest: '이자' },
  countries: {
    KRW: '한국',
    USD: '미국',
    JPY: '일본',
    HKD: '홍콩',
    GBP: '영국',
    CNY: '중국',
    EUR: '유로존',
  },
  income: ({ of, local, won, tax }) => `${of}: ${local} = ${won}, 원천징수 ${tax}`,
  incomeInWon: ({ of, won, tax }) => `${of}: ${won}, 원천징수 ${tax}`,
  line: ({ amount }) => `금융소득 합계: **${amount}**. 연 2,000만 원을 넘으면 금융소득종합과세 대상이에요.`,
  overLine: ({ amount }) => `금융소득 합계: **${amount}**. 2,000만 원을 넘어 금융소득종합과세 대상이에요.`,

  notes: {
    rates: ({ names }) => `환율: 결제일의 시장 종가(${names}). 매매기준율과는 조금 달라요.`,
    settled: '연도와 환율은 국내 결제일 기준: 매매일부터 2영업일(미국은 2024-05-27까지 3영업일).',
    provisional: ({ count }) => `매도 ${count}건은 결제일이나 환율이 아직 잠정이에요.`,
    method: {
      average:
        '취득가액: 이동평균(포트폴리오 설정). 법의 원칙은 선입선출이지만 증권사의 이동평균도 인정돼요.',
      fifo: '취득가액: 선입선출(포트폴리오 설정)',
      mixed: '취득가액: 포트폴리오마다 설정대로(이동평균 또는 선입선출)',
    },
    unrated: ({ names }) => `⚠️ 환율이 없어 합계에서 제외했어요: ${names}`,
    standIns: ({ names }) =>
      `⚠️ 환율을 조회하지 못해 앞선 종가로 계산했어요: ${names}. 나중에 다시 확인해 주세요.`,
    closeOf: ({ asked, day }) => `${asked} (${day} 종가)`,
    sample: '⚠️ 샘플 환율이나 시세예요. 원화 금액은 지어낸 값이니 쓰지 마세요.',
    broken: ({ names }) => `⚠️ 기록이 서로 맞지 않아 제외했어요: ${names}`,
    shorts: ({ count }) => `공매도 청산 ${count}건은 제외했어요. 여기서 다루는 규정이 없어요.`,
    only: ({ names }) =>
      `${names}만 계산했어요. 공제와 손익통산은 모든 포트폴리오를 합쳐서 해요: \`/portfolio tax\``,
    notCovered: '다루지 않는 것: 다른 계좌, 비상장주식, 대주주, 특례 공제(2026년 국내시장 복귀계좌 RIA 등).',
    apart: ({ names }) => `따로 과세되어 제외한 계좌(금융소득 2,000만 원에도 넣지 않음): ${names}`,
    unmarked: ({ names, first }) =>
      `${names} 포트폴리오가 ISA나 연금계좌라면 표시해 주세요. 표시하면 여기서 제외해요: \`/portfolio 계좌 isa --in=${first}\``,
    noFile: '매도 목록 전체(CSV 파일)는 DM으로 물어봐 주세요.',
    file: 'CSV 파일에 모든 매도의 날짜, 환율, 금액이 있어요.',
  },

  termGain: {
    short: ({ amount, count }) => `단기(1년 이하 보유): **${amount}**, ${count}건`,
    long: ({ amount, count }) => `장기(1년 초과 보유): **${amount}**, ${count}건`,
    'short-sale': ({ amount, count }) => `공매도 청산(기간 구분 없음): **${amount}**, ${count}건`,
  },
  total: ({ amount }) => `합계: **${amount}**`,
  dividends: ({ amount, tax }) => `배당(세전): ${amount}, 원천징수 ${tax}`,
  interest: ({ amount, tax }) => `이자(세전): ${amount}, 원천징수 ${tax}`,
  termNote:
    '매매일과 그날 환율 기준, 선입선출, 수수료를 뺀 금액이에요. 1년 구분은 미국 기준이고, 워시세일과 세액은 계산하지 않아요.',
  koreaHint: '국내 거주자 기준 계산: `/portfolio tax kr`',
  termHint: '보유 기간별 실현손익: `/portfolio tax us`',

  terms: { short: '단기', long: '장기', 'short-sale': '공매도' },
  columns: {
    portfolio: '포트폴리오',
    name: '종목명',
    symbol: '종목코드',
    quantity: '수량',
    acquiredFirst: '취득일(처음)',
    acquiredLast: '취득일(마지막)',
    sold: '매도일',
    settled: '결제일',
    currency: '통화',
    proceeds: '양도가액',
    cost: '취득가액',
    charges: '매도 수수료·세금',
    rate: '결제일 환율',
    rateDay: '환율 날짜',
    wonProceeds: '양도가액(원)',
    wonCost: '취득가액(원)',
    wonCharges: '필요경비(원)',
    wonGain: '양도차익(원)',
    term: '보유 기간',
    baseProceeds: ({ currency }) => `양도가액(${currency})`,
    baseCost: ({ currency }) => `취득가액(${currency})`,
    baseGain: ({ currency }) => `손익(${currency})`,
    note: '비고',
  },
  provisionalMark: '잠정',
  sampleMark: '샘플 데이터',
  fileName: ({ year }) => `세금-${year}.csv`,
  yearButton: ({ year }) => `${year}년`,
};

export const taxTexts = localized({ en: taxEn, ko: taxKo });
