import { counted } from '#src/kernel/locale.ts';

interface OfField {
  readonly field: string;
  readonly typed: string;
}

interface Typed {
  readonly typed: string;
}

interface Dated {
  readonly date: string;
}

interface InCurrency {
  readonly currency: string;
}

interface OfKind {
  readonly kind: string;
}

interface Missing extends Dated {
  readonly short: string;
  readonly taken: string;
  readonly command: string;
}

interface Held extends Dated {
  readonly name: string;
  readonly held: string;
  readonly wanted: string;
}

/** The command for the opposite of each kind. */
const OPPOSITE_EN: Readonly<Record<string, string>> = {
  buy: 'sell AAPL 5 200',
  sell: 'add AAPL 10 190.5',
  deposit: 'withdraw 500 USD',
  withdrawal: 'deposit 1000 USD',
  dividend: 'tax AAPL 1.88 USD',
  interest: 'fee 3 USD',
  tax: 'refund 3 USD',
};
const OPPOSITE_KO: Readonly<Record<string, string>> = {
  buy: '매도 삼성전자 5주 72,000원',
  sell: '매수 삼성전자 10주 71,000원',
  deposit: '출금 50만원',
  withdrawal: '입금 100만원',
  dividend: '세금 AAPL 1.88달러',
  interest: '수수료 3,000원',
  tax: '환급 3,000원',
};

/** The problems of an entry and what to do about them. */
export const portfolioProblemsEn = {
  fields: {
    name: 'name',
    quantity: 'quantity',
    price: 'price',
    total: 'total',
    amount: 'amount',
    fee: 'fee',
    tax: 'tax',
    rate: 'exchange rate',
    ratio: 'ratio',
    toAmount: 'amount received',
    toCurrency: 'currency received',
    toName: 'company received',
    toQuantity: 'shares received',
    percent: 'part of the cost',
    currency: 'currency',
  },
  /** Of another entry than a sale. */
  'too-few': (p: Held) =>
    `On ${p.date} you hold only ${p.held} of ${p.name}, and this takes ${p.wanted}. Check the quantity and the date.`,
  'sold-short': (p: { readonly name: string }) =>
    `That portfolio has sold ${p.name} short, so shares cannot come in. Record a purchase instead.`,
  'spun-away': (p: { readonly name: string; readonly date: string }) =>
    `That takes all of your ${p.name} away on ${p.date}, but only a part of the cost. Give the old shares that went, or leave them out if none did: \`/portfolio spin-off GE GEV 25 19.8%\`. If all went, record a merger.`,
  'moved-cost': (p: { readonly name: string; readonly other: string; readonly date: string }) =>
    `The cost of the ${p.name} that went to **${p.other}** on ${p.date} would change. Take that transfer back first, and record it again afterwards.`,
  missing: {
    name: (p: OfKind) => `Which one is the ${p.kind} of? Add a name or a ticker, for example \`AAPL\`.`,
    quantity: (p: OfKind) => `How many? Add the quantity of the ${p.kind}, for example \`AAPL 10\`.`,
    price: (p: OfKind) =>
      `At what price? Add the price of one piece for the ${p.kind}, for example \`AAPL 10 190.5\`.`,
    total: (p: OfKind) => `Please add the total of the ${p.kind}.`,
    amount: (p: OfKind) => `How much? Add the amount of the ${p.kind}, for example \`100 USD\`.`,
    fee: (p: OfKind) => `Please add the fee of the ${p.kind}.`,
    tax: (p: OfKind) => `Please add the tax of the ${p.kind}.`,
    rate: (p: OfKind) => `Please add the exchange rate of the ${p.kind}.`,
    ratio: () => 'Into how many? Add the ratio of the split, for example `50:1`, or `1:10` for ten into one.',
    toName: () =>
      "Which company's shares did you get, and how many? For example `/portfolio spin-off GE GEV 25 19.8%` or `/portfolio merger VMW 10 AVGO 3`. For a merger paid in cash alone, record a sale.",
    toQuantity: () => 'How many shares did you get? For example `GEV 25`.',
    percent: () =>
      'What part of the cost moves to the new shares? The company tells it (US: Form 8937; Korea: the ratio of the division), for example `19.8%`.',
    toAmount: () => 'How much did you receive? Give both amounts, for example `1,300,000 KRW 1,000 USD`.',
    toCurrency: () =>
      'Into which currency? Give both with their currencies, for example `1,300,000 KRW 1,000 USD`.',
  },
  'no-number': (p: OfField) =>
    `I cannot read "${p.typed}" as the ${p.field}. Please write it as a number, for example \`10\` or \`71,000\`.`,
  'too-small': (p: OfField & { readonly of: string }) =>
    `The ${p.field} "${p.typed}" has to be above zero.${OPPOSITE_EN[p.of] === undefined ? '' : ` For what goes the other way, use \`/portfolio ${OPPOSITE_EN[p.of]}\`.`}`,
  'too-large': (p: OfField) =>
    `The ${p.field} "${p.typed}" is larger than I can record. Please check the number of digits.`,
  'too-precise': (p: OfField) => `The ${p.field} "${p.typed}" has too many decimals. Please give at most 18.`,
  'unknown-currency': (p: Typed) =>
    `I do not know the currency "${p.typed}". Please give its code, for example \`USD\`, \`KRW\` or \`EUR\`.`,
  'other-currency': (p: { readonly name: string; readonly own: string; readonly other: string }) =>
    `${p.name} is traded in ${p.own}, not in ${p.other}. Please give the amounts in ${p.own}.`,
  'two-currencies': (p: { readonly first: string; readonly second: string }) =>
    `The amount is given in both ${p.first} and ${p.second}. Please give one of them.`,
  'same-currency': (p: InCurrency) =>
    `An exchange needs two currencies, and both are ${p.currency}. Please check what was given and received.`,
  'own-rate': (p: InCurrency) =>
    `The portfolio is kept in ${p.currency}, so an entry in ${p.currency} has no exchange rate. Please leave it out.`,
  'no-date': (p: Typed) =>
    `I cannot read "${p.typed}" as a date. Please write it as \`2026-11-13\`, \`11/13\`, \`Nov 13\` or \`yesterday\`.`,
  'no-time': (p: Typed) =>
    `I cannot read "${p.typed}" as one time of day. Please write it as \`14:30\` or \`2:30 pm\`, in your own time zone, or with its zone, as in \`15:45 ET\`.`,
  'impossible-date': (p: Typed) =>
    `There is no such day as "${p.typed}". Please check the day and the month.`,
  'not-one-day': (p: Typed) =>
    `"${p.typed}" is more than one day. Please give the day, for example \`2026-11-13\`.`,
  'future-date': (p: Dated) =>
    `${p.date} lies in the future. Please give a day up to today, with its year if it is an earlier one.`,
  'old-date': (p: Dated) => `${p.date} is too long ago. Please give a day from 1900 on.`,
  'bad-ratio': (p: Typed) =>
    `I cannot use "${p.typed}" as a ratio. Please write \`50:1\` for one into fifty, or \`1:10\` for ten into one.`,
  'rate-and-amounts': (p: Typed) =>
    `The rate "${p.typed}" does not fit the two amounts of the exchange. Please check them, and give both amounts, or one of them with the rate.`,
  'uneven-total': (p: { readonly near: string }) =>
    `The total cannot be divided evenly by the quantity (about ${p.near} each). Please give the price of one piece, for example \`AAPL 10 190.5\`.`,
  'uneven-quantity': (p: { readonly near: string }) =>
    `How many? At that price the money buys about ${p.near} pieces. Please give the quantity with the price or the total, for example \`AAPL 10 190.5\`.`,
  'price-and-total': (p: { readonly price: string; readonly total: string }) =>
    `The price "${p.price}" and the total "${p.total}" do not fit the quantity. Please give one of them.`,
  unused: (p: OfField & OfKind & { readonly command: string }) =>
    p.command === ''
      ? `An entry of this kind (${p.kind}) has no ${p.field}, so nothing was recorded. Leave "${p.typed}" out and send it again.`
      : `An entry of this kind (${p.kind}) has no ${p.field} of its own, so nothing was recorded. Send it again without "${p.typed}", and record that with \`${p.command}\`.`,
  'tax-above-amount': () =>
    'The tax is more than the amount it is taken from. Please give the amount before tax, and the tax on it.',
  'long-note': (p: { readonly limit: number }) =>
    `The note is too long. Please keep it within ${counted(p.limit, 'character')}.`,
  'not-holdable': (p: { readonly name: string }) =>
    `${p.name} cannot be held itself. Please record the ETF, share or coin that you bought; currencies go in with \`/portfolio deposit\` or \`/portfolio fx\`.`,
  oversold: (p: Held) =>
    `On ${p.date} you hold only ${p.held} of ${p.name}, so ${p.wanted} cannot be sold. Check the quantity and the date, or allow short sales with \`/portfolio short on\`.`,
  'nothing-held': (p: { readonly name: string; readonly date: string }) =>
    `On ${p.date} you hold no ${p.name}, so nothing can be split. A split counts before the trades of its day: record the purchase with an earlier date, or check the date of the split.`,
  /** For a spin-off, a merger, a return of capital and a transfer. */
  'none-held': (p: { readonly name: string; readonly date: string }) =>
    `On ${p.date} you hold no ${p.name}. Check the name and the date, or record the purchase first, with an earlier date.`,
  'no-fraction': (p: { readonly name: string; readonly date: string }) =>
    `On ${p.date} you hold no ${p.name}, so there is no fraction that cash could be paid for. Record the purchase first, or check the date.`,
  'small-fraction': (p: Held) =>
    `On ${p.date} you hold only ${p.held} of ${p.name}, so cash cannot be paid for ${p.wanted}. Give the fraction of a share that was paid out, or leave it out.`,
  'nothing-paid-on': (p: { readonly name: string; readonly date: string }) =>
    `How much was paid in all? An amount per share needs the shares held on the day before ${p.date}, and no ${p.name} is recorded for that day. Give the total, for example \`12.50 USD\`, or record the purchase first.`,
  future: (p: { readonly name: string }) =>
    `${p.name} is a futures contract. A contract stands for many units (its multiplier), so one price does not say what it is worth, and I do not record it. Record an ETF on the same thing instead, for example \`GLD\` for gold.`,
  'nothing-to-sell': (p: { readonly name: string; readonly date: string }) =>
    `On ${p.date} you hold no ${p.name}, so there is nothing to sell. Record the purchase first, check the date, or allow short sales with \`/portfolio short on\`.`,
  missingCash: (p: Missing) =>
    `With this entry ${p.short} of cash would be missing on ${p.date}, where this is recorded: ${p.taken}. If more was paid in, record that first with \`${p.command}\`, then send this again.`,
  overdrawn: (p: { readonly available: string; readonly wanted: string; readonly date: string }) =>
    `On ${p.date} the cash balance is ${p.available}, so ${p.wanted} cannot go out. Check the amount, or record the missing deposit first.`,
};

export const portfolioProblemsKo: typeof portfolioProblemsEn = {
  fields: {
    name: '종목',
    quantity: '수량',
    price: '단가',
    total: '거래 금액',
    amount: '금액',
    fee: '수수료',
    tax: '세금',
    rate: '환율',
    ratio: '분할 비율',
    toAmount: '받은 금액',
    toCurrency: '받은 통화',
    toName: '받은 종목',
    toQuantity: '받은 수량',
    percent: '원가 비율',
    currency: '통화',
  },
  'too-few': (p) =>
    `${p.date} 기준 ${p.name} 보유 수량은 ${p.held}뿐이에요(필요 ${p.wanted}). 수량과 날짜를 확인해 주세요.`,
  'sold-short': (p) => `받는 포트폴리오에 ${p.name} 공매도가 있어 옮길 수 없어요. 매수로 기록해 주세요.`,
  'spun-away': (p) =>
    `${p.date}에 ${p.name} 전부가 없어지는데 원가는 일부만 옮겨져요. 줄어든 수량을 적거나, 줄지 않았다면 빼 주세요: \`/portfolio 인적분할 GE GEV 25주 19.8%\`. 모두 바뀌었다면 합병으로 기록해 주세요.`,
  'moved-cost': (p) =>
    `${p.date}에 **${p.other}** 포트폴리오로 옮긴 ${p.name}의 원가가 달라져요. 그 이체를 먼저 취소하고, 나중에 다시 기록해 주세요.`,
  missing: {
    name: (p) => `어떤 종목의 ${p.kind}인가요? 이름이나 코드를 함께 적어 주세요. 예: \`삼성전자\``,
    quantity: (p) => `${p.kind} 수량이 없어요. 수량을 함께 적어 주세요. 예: \`삼성전자 10주\``,
    price: (p) => `${p.kind} 단가가 없어요. 한 주의 가격을 함께 적어 주세요. 예: \`삼성전자 10주 71,000원\``,
    total: (p) => `${p.kind} 금액을 함께 적어 주세요.`,
    amount: (p) => `${p.kind} 금액이 없어요. 금액을 함께 적어 주세요. 예: \`100만원\`, \`100 USD\``,
    fee: (p) => `${p.kind} 수수료를 함께 적어 주세요.`,
    tax: (p) => `${p.kind} 세금을 함께 적어 주세요.`,
    rate: (p) => `${p.kind} 환율을 함께 적어 주세요.`,
    ratio: () => '분할 비율이 없어요. 1주가 50주가 되면 `50:1`, 10주가 1주가 되면 `1:10`처럼 적어 주세요.',
    toName: () =>
      '어느 회사 주식을 몇 주 받으셨나요? 예: `/portfolio 인적분할 GE GEV 25주 19.8%`, `/portfolio 합병 VMW 10주 AVGO 3주`. 현금만 받은 합병은 매도로 기록해 주세요.',
    toQuantity: () => '몇 주를 받으셨나요? 예: `GEV 25주`',
    percent: () =>
      '원가의 몇 %가 새 주식으로 옮겨 가나요? 회사가 알려 줘요(한국은 분할비율, 미국은 Form 8937). 예: `19.8%`',
    toAmount: () => '받은 금액이 없어요. 두 금액을 모두 적어 주세요. 예: `130만원 1,000달러`',
    toCurrency: () => '어떤 통화로 바꾸셨나요? 두 금액을 통화와 함께 적어 주세요. 예: `130만원 1,000달러`',
  },
  'no-number': (p) =>
    `${p.field}: "${p.typed}" 부분을 숫자로 읽지 못했어요. \`10\`, \`71,000\`처럼 적어 주세요.`,
  'too-small': (p) =>
    `${p.field} 값은 0보다 커야 해요("${p.typed}").${OPPOSITE_KO[p.of] === undefined ? '' : ` 반대 방향이라면 \`/portfolio ${OPPOSITE_KO[p.of]}\`처럼 기록해 주세요.`}`,
  'too-large': (p) => `${p.field} 값이 너무 커서 기록할 수 없어요("${p.typed}"). 자릿수를 확인해 주세요.`,
  'too-precise': (p) => `${p.field} 값의 소수 자릿수가 너무 많아요("${p.typed}"). 18자리까지 적어 주세요.`,
  'unknown-currency': (p) =>
    `알 수 없는 통화예요: "${p.typed}". 통화 코드를 적어 주세요. 예: \`KRW\`, \`USD\`, \`EUR\``,
  'other-currency': (p) => `${p.other} 말고 ${p.own} 금액으로 적어 주세요(${p.name}의 거래 통화).`,
  'two-currencies': (p) =>
    `금액의 통화가 두 가지(${p.first}, ${p.second})로 적혀 있어요. 한 가지만 적어 주세요.`,
  'same-currency': (p) =>
    `환전에는 두 통화가 필요한데 모두 ${p.currency} 통화예요. 낸 금액과 받은 금액의 통화를 확인해 주세요.`,
  'own-rate': (p) =>
    `이 포트폴리오의 기준 통화가 ${p.currency}이므로 ${p.currency} 거래에는 환율이 없어요. 환율을 빼고 적어 주세요.`,
  'no-date': (p) =>
    `날짜로 읽을 수 없어요: "${p.typed}". \`2026-11-13\`, \`11/13\`, \`어제\`, \`3일 전\`처럼 적어 주세요.`,
  'no-time': (p) =>
    `시각으로 읽을 수 없어요: "${p.typed}". \`14:30\`이나 \`오후 2시 30분\`처럼 오전·오후를 알 수 있게 적어 주세요. 다른 시간대라면 \`15:45 ET\`처럼 함께 적어 주세요.`,
  'impossible-date': (p) => `달력에 없는 날짜예요: "${p.typed}". 월과 일을 확인해 주세요.`,
  'not-one-day': (p) =>
    `"${p.typed}"만으로는 어느 날인지 알 수 없어요. \`2026-11-13\`처럼 날짜를 적어 주세요.`,
  'future-date': (p) =>
    `아직 오지 않은 날짜예요(${p.date}). 오늘까지의 날짜를 적어 주시고, 지난해라면 연도도 적어 주세요.`,
  'old-date': (p) => `너무 오래된 날짜예요(${p.date}). 1900년 이후의 날짜를 적어 주세요.`,
  'bad-ratio': (p) =>
    `분할 비율로 쓸 수 없어요: "${p.typed}". 1주가 50주가 되면 \`50:1\`, 10주가 1주가 되면 \`1:10\`처럼 적어 주세요.`,
  'rate-and-amounts': (p) =>
    `적은 환율(${p.typed})이 환전한 두 금액과 맞지 않아요. 확인하신 뒤 두 금액을 적거나, 한 금액과 환율을 적어 주세요.`,
  'uneven-total': (p) =>
    `총액이 수량으로 나누어떨어지지 않아요(약 ${p.near}). 한 주의 가격을 적어 주세요. 예: \`삼성전자 10주 71,000원\``,
  'uneven-quantity': (p) =>
    `몇 주인가요? 그 단가로는 약 ${p.near}주예요. 수량을 단가나 총액과 함께 적어 주세요. 예: \`삼성전자 10주 71,000원\``,
  'price-and-total': (p) =>
    `단가(${p.price})와 총액(${p.total})이 수량과 맞지 않아요. 둘 중 하나만 적어 주세요.`,
  unused: (p) =>
    p.command === ''
      ? `${p.kind} 기록에는 ${p.field} 항목이 없어 아무것도 기록하지 않았어요. "${p.typed}" 부분을 빼고 다시 보내 주세요.`
      : `${p.kind} 기록에는 ${p.field} 항목이 없어 아무것도 기록하지 않았어요. "${p.typed}" 부분을 빼고 다시 보내시고, ${p.field}: \`${p.command}\`로 따로 기록해 주세요.`,
  'tax-above-amount': () => '세금이 금액보다 많아요. 세금을 떼기 전 금액과 그 세금을 적어 주세요.',
  'long-note': (p) => `메모가 너무 길어요. ${p.limit}자 이내로 적어 주세요.`,
  'not-holdable': (p) =>
    `직접 보유할 수 없는 항목이에요: ${p.name}. 실제로 산 ETF, 주식, 코인을 기록해 주시고, 외화는 \`/portfolio 입금\`이나 \`/portfolio 환전\`으로 적어 주세요.`,
  oversold: (p) =>
    `${p.date} 기준 ${p.name} 보유 수량은 ${p.held}뿐이에요(매도 ${p.wanted}). 수량과 날짜를 확인해 주세요. 공매도라면: \`/portfolio short on\``,
  'nothing-held': (p) =>
    `${p.date} 기준 ${p.name} 보유 수량이 없어 분할·병합을 기록할 수 없어요. 분할·병합은 그날의 거래보다 먼저 적용되니, 매수를 그 전 날짜로 기록하시거나 날짜를 확인해 주세요.`,
  'none-held': (p) =>
    `${p.date} 기준 ${p.name} 보유 수량이 없어요. 종목과 날짜를 확인하거나, 매수를 그 전 날짜로 먼저 기록해 주세요.`,
  'no-fraction': (p) =>
    `${p.date} 기준 ${p.name} 보유 수량이 없어 단주대금을 기록할 수 없어요. 매수를 먼저 기록하시거나 날짜를 확인해 주세요.`,
  'small-fraction': (p) =>
    `${p.date} 기준 ${p.name} 보유 수량은 ${p.held}뿐이에요(단주 ${p.wanted}). 대금으로 받은 단주 수량만 적거나 수량을 빼고 적어 주세요.`,
  'nothing-paid-on': (p) =>
    `모두 얼마를 받으셨나요? 주당 배당금은 ${p.date} 전날의 보유 수량으로 계산하는데, 그날 ${p.name} 보유 기록이 없어요. \`3,610원\`처럼 총액을 적거나 매수를 먼저 기록해 주세요.`,
  future: (p) =>
    `선물은 기록할 수 없어요: ${p.name}. 선물 한 계약은 여러 단위(승수)에 해당해 가격만으로는 금액을 알 수 없어요. 같은 자산의 ETF를 기록해 주세요. 예: 금은 \`GLD\``,
  'nothing-to-sell': (p) =>
    `${p.date} 기준 ${p.name} 보유 수량이 없어 매도할 수 없어요. 매수를 먼저 기록하시거나 날짜를 확인해 주세요. 공매도를 기록하려면 \`/portfolio short on\`을 입력해 주세요.`,
  missingCash: (p) =>
    `이 기록을 넣으면 ${p.date} 현금이 ${p.short} 모자라요. 그날 이미 기록된 거래: ${p.taken}. 입금이 더 있었다면 먼저 \`${p.command}\`를 입력하고 다시 보내 주세요.`,
  overdrawn: (p) =>
    `${p.date} 현금 잔액은 ${p.available}뿐이에요(나가는 금액 ${p.wanted}). 금액을 확인하거나 빠진 입금을 먼저 기록해 주세요.`,
};
