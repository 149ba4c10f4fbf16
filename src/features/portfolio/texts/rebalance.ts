import { counted, localized } from '#src/kernel/locale.ts';

interface Named {
  readonly name: string;
}

interface Names {
  readonly names: string;
}

interface Sum {
  readonly amount: string;
}

/** Messages about target weights and planned trades. None of them gives advice. */
const rebalanceEn = {
  lookingUp: 'Working out the trades…',
  title: (p: Named & { readonly currency: string }) => `**Rebalancing ${p.name}** · in ${p.currency}`,
  withNewMoney: (p: Sum) => `With ${p.amount} of new money; nothing is sold.`,
  withNewMoneyAndSales: (p: Sum) => `With ${p.amount} of new money; sales are allowed.`,
  band: (p: { readonly points: string }) =>
    `Holdings within ${counted(p.points, 'percentage point')} of their target are left alone.`,
  columns: { name: 'Name', now: 'Weight now', target: 'Target', after: 'Weight after', change: 'Off by' },
  cash: 'Cash',
  trades: 'Trades',
  noTrades: 'Nothing to trade: everything is as close to its target as whole shares and your cash allow.',
  sides: { buy: 'Buy', sell: 'Sell' },
  trade: (p: {
    readonly side: string;
    readonly name: string;
    readonly quantity: string;
    readonly amount: string;
  }) => `${p.side} ${p.name} ${p.quantity} · ${p.amount}`,
  charges: (p: { readonly tax: string; readonly fee: string }) =>
    `Estimated charges: transaction tax ${p.tax} · fees ${p.fee}`,
  chargesWithoutFee: (p: { readonly tax: string }) =>
    `Estimated transaction tax: ${p.tax}. Your broker’s fees are not included; add \`fee 0.1%\` to count them.`,
  cashChange: (p: { readonly now: string; readonly after: string }) => `Cash: ${p.now} → **${p.after}**`,
  moneyLeft: (p: Sum) => `Left of the new money: **${p.amount}**`,
  exchange: 'Amounts in other currencies use the current rate, without the cost of exchanging money.',
  cashNotCounted:
    'This portfolio does not track cash, so cash counts as zero. Record a deposit to include it.',
  unnamed: (p: Names) => `Held, but not in the targets, so the target is 0%: ${p.names}`,
  unpriced: (p: Names) => `No price or exchange rate, so left out: ${p.names}`,
  lots: (p: Names) => `Tokyo trades in lots of 100: ${p.names}`,
  unknownLots: (p: Names) =>
    `Hong Kong trades in lots of each company's own size. Ask your broker, and round to it: ${p.names}`,
  stale: (p: Names) => `The last price is old: ${p.names}`,
  shorts: (p: Names) => `Short positions are left out: ${p.names}`,
  notRecorded: (p: { readonly command: string }) =>
    `Nothing was traded or recorded. Once you have traded, record it: \`${p.command}\``,
  notAdvice: 'This is only arithmetic towards your own targets, not investment advice.',

  needsTargets: (p: Named) =>
    `${p.name} has no target weights yet. Give them: \`/portfolio rebalance AAPL 40 MSFT 30 cash 30\`, or store them: \`/portfolio target AAPL 40 MSFT 30 cash 30\``,
  needsPrice: (p: Names) =>
    `There is no price or rate for ${p.names} now, so no trades can be worked out. Try again later.`,
  notHundred: (p: { readonly sum: string; readonly rest: string }) =>
    `The weights add up to ${p.sum}%, not 100%. Change them, or put the rest into cash: ${p.rest}`,
  above: (p: { readonly sum: string }) =>
    `The weights add up to ${p.sum}%, more than 100%. Change them so that they add up to 100.`,
  twice: (p: Named) => `${p.name} is named twice. Give each name one weight.`,
  leftOver: (p: { readonly typed: string }) =>
    `I cannot read “${p.typed}”. Write it like \`/portfolio rebalance AAPL 40 MSFT 30 cash 30\`, with \`+$500\` for new money.`,
  tooMany: (p: { readonly most: number }) => `Give at most ${counted(p.most, 'target')}.`,
  untradable: (p: Named) => `${p.name} cannot be held: it is not a share, fund or coin.`,
  nothingThere: (p: Named) =>
    `${p.name} has no cash and nothing with a price. Add new money: \`/portfolio rebalance +$1000\``,

  targetsSet: (p: Named & { readonly list: string }) =>
    `Saved the targets of ${p.name}: ${p.list}. For the trades: \`/portfolio rebalance\``,
  targetsShown: (p: Named & { readonly list: string }) => `Targets of ${p.name}: ${p.list}`,
  noTargets: (p: Named) =>
    `${p.name} has no target weights. Store them: \`/portfolio target AAPL 40 MSFT 30 cash 30\``,
  targetsCleared: (p: Named) => `${p.name} has no target weights any more.`,
};

const rebalanceKo: typeof rebalanceEn = {
  lookingUp: '리밸런싱 계산 중…',
  title: ({ name, currency }) => `**${name} 리밸런싱** · ${currency} 기준`,
  withNewMoney: ({ amount }) => `새로 넣는 돈 ${amount}으로 매수만 계산했습니다. 매도는 없습니다.`,
  withNewMoneyAndSales: ({ amount }) => `새로 넣는 돈 ${amount}을 더하고 매도까지 계산했습니다.`,
  band: ({ points }) => `목표와의 차이가 ${points}%p 이하인 것은 그대로 둡니다.`,
  columns: { name: '종목', now: '현재 비중', target: '목표', after: '이후 비중', change: '차이' },
  cash: '현금',
  trades: '필요한 매매',
  noTrades: '매매할 것이 없습니다. 1주 단위와 보유 현금으로는 지금이 목표에 가장 가깝습니다.',
  sides: { buy: '매수', sell: '매도' },
  trade: ({ side, name, quantity, amount }) => `${side} ${name} ${quantity} · ${amount}`,
  charges: ({ tax, fee }) => `예상 비용: 거래세 ${tax} · 수수료 ${fee}`,
  chargesWithoutFee: ({ tax }) =>
    `예상 거래세: ${tax}. 증권사 수수료는 빠져 있으며, \`수수료 0.1%\`처럼 적으면 함께 계산합니다.`,
  cashChange: ({ now, after }) => `현금: ${now} → **${after}**`,
  moneyLeft: ({ amount }) => `새로 넣는 돈 중 남는 금액: **${amount}**`,
  exchange: '다른 통화 금액은 지금 환율로 바꾼 값이며 환전 비용은 빠져 있습니다.',
  cashNotCounted: '이 포트폴리오에는 현금 기록이 없어 0으로 계산했습니다. 입금을 기록하시면 함께 계산합니다.',
  unnamed: ({ names }) => `보유 중이지만 목표에 없어 목표를 0%로 계산했습니다: ${names}`,
  unpriced: ({ names }) => `시세나 환율이 없어 제외했습니다: ${names}`,
  lots: ({ names }) => `도쿄는 100주 단위로 거래합니다: ${names}`,
  unknownLots: ({ names }) =>
    `홍콩은 종목마다 매매 단위가 다릅니다. 증권사에서 확인해 그 배수로 맞춰 주세요: ${names}`,
  stale: ({ names }) => `오래된 시세입니다: ${names}`,
  shorts: ({ names }) => `공매도 잔고는 제외했습니다: ${names}`,
  notRecorded: ({ command }) =>
    `실제 매매도 기록도 하지 않았습니다. 매매하신 뒤에 기록해 주세요: \`${command}\``,
  notAdvice: '정하신 목표에 맞춘 계산이며 투자 자문이 아닙니다.',

  needsTargets: ({ name }) =>
    `${name}에는 아직 목표 비중이 없습니다. \`/portfolio 리밸런싱 AAPL 40 삼성전자 30 현금 30\`처럼 바로 적으시거나 \`/portfolio 목표 AAPL 40 삼성전자 30 현금 30\`으로 저장해 주세요.`,
  needsPrice: ({ names }) =>
    `지금 시세나 환율이 없어 계산할 수 없습니다: ${names}. 잠시 후 다시 시도해 주세요.`,
  notHundred: ({ sum, rest }) =>
    `비중의 합이 100%가 아니라 ${sum}%입니다. 비중을 고치시거나 나머지를 현금으로 두세요: ${rest}`,
  above: ({ sum }) => `비중의 합이 ${sum}%로 100%를 넘습니다. 합이 100이 되게 고쳐 주세요.`,
  twice: ({ name }) => `두 번 적힌 이름이 있습니다: ${name}. 하나만 남겨 주세요.`,
  leftOver: ({ typed }) =>
    `읽지 못한 부분이 있습니다: “${typed}”. \`/portfolio 리밸런싱 AAPL 40 삼성전자 30 현금 30\`처럼 적고, 새 돈은 \`새 돈 100만원\`처럼 적어 주세요.`,
  tooMany: ({ most }) => `목표는 ${most}개까지 적을 수 있습니다.`,
  untradable: ({ name }) => `주식, 펀드, 코인이 아니어서 보유할 수 없습니다: ${name}.`,
  nothingThere: ({ name }) =>
    `${name}에는 시세가 있는 보유 종목도 현금도 없습니다. 새 돈을 더해 보세요: \`/portfolio 리밸런싱 새 돈 100만원\``,

  targetsSet: ({ name, list }) =>
    `${name}의 목표 비중을 저장했습니다: ${list}. 매매 계산: \`/portfolio 리밸런싱\``,
  targetsShown: ({ name, list }) => `${name}의 목표 비중: ${list}`,
  noTargets: ({ name }) =>
    `${name}에는 목표 비중이 없습니다. 저장하려면: \`/portfolio 목표 AAPL 40 삼성전자 30 현금 30\``,
  targetsCleared: ({ name }) => `${name}의 목표 비중을 지웠습니다.`,
};

export const rebalanceTexts = localized({ en: rebalanceEn, ko: rebalanceKo });
