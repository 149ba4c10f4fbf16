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
  noTrades: 'Nothing to trade: this is as close as whole shares and your cash allow.',
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
    `Estimated transaction tax: ${p.tax}. To count your broker’s fees, add \`fee 0.1%\`.`,
  cashChange: (p: { readonly now: string; readonly after: string }) => `Cash: ${p.now} → **${p.after}**`,
  moneyLeft: (p: Sum) => `Left of the new money: **${p.amount}**`,
  exchange: 'Other currencies are at the current rate, without the cost of exchange.',
  cashNotCounted: 'No cash is recorded, so it counts as zero. Record a deposit to include it.',
  unnamed: (p: Names) => `Not in the targets, so 0%: ${p.names}`,
  unpriced: (p: Names) => `No price or exchange rate, so left out: ${p.names}`,
  lots: (p: Names) => `Tokyo trades in lots of 100: ${p.names}`,
  unknownLots: (p: Names) =>
    `Hong Kong trades in lots of each company's own size. Ask your broker, and round to it: ${p.names}`,
  stale: (p: Names) => `The last price is old: ${p.names}`,
  shorts: (p: Names) => `Short positions are left out: ${p.names}`,
  notRecorded: (p: { readonly command: string }) =>
    `Only worked out, not traded. Once you have traded: \`${p.command}\``,
  notAdvice: 'Arithmetic towards your own targets, not investment advice.',

  needsTargets: (p: Named) =>
    `What are the target weights of ${p.name}? \`/portfolio rebalance AAPL 40 MSFT 30 cash 30\`. To keep them: \`/portfolio target AAPL 40 MSFT 30 cash 30\``,
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
  withNewMoney: ({ amount }) => `새 돈 ${amount}으로 매수만 계산했어요.`,
  withNewMoneyAndSales: ({ amount }) => `새 돈 ${amount}과 매도까지 계산했어요.`,
  band: ({ points }) => `차이가 ${points}%p 이하면 그대로 둬요.`,
  columns: { name: '종목', now: '현재 비중', target: '목표', after: '이후 비중', change: '차이' },
  cash: '현금',
  trades: '필요한 매매',
  noTrades: '매매할 것이 없어요. 지금이 목표에 가장 가까워요.',
  sides: { buy: '매수', sell: '매도' },
  trade: ({ side, name, quantity, amount }) => `${side} ${name} ${quantity} · ${amount}`,
  charges: ({ tax, fee }) => `예상 비용: 거래세 ${tax} · 수수료 ${fee}`,
  chargesWithoutFee: ({ tax }) => `예상 거래세: ${tax}. 증권사 수수료도 넣으려면: \`수수료 0.1%\``,
  cashChange: ({ now, after }) => `현금: ${now} → **${after}**`,
  moneyLeft: ({ amount }) => `새 돈 중 남는 금액: **${amount}**`,
  exchange: '다른 통화는 지금 환율로, 환전 비용 없이 계산했어요.',
  cashNotCounted: '현금 기록이 없어 0으로 계산했어요. 입금을 기록하면 넣어요.',
  unnamed: ({ names }) => `목표에 없어 0%로 계산했어요: ${names}`,
  unpriced: ({ names }) => `시세나 환율이 없어 제외했어요: ${names}`,
  lots: ({ names }) => `도쿄는 100주 단위로 거래해요: ${names}`,
  unknownLots: ({ names }) =>
    `홍콩은 종목마다 매매 단위가 달라요. 증권사에서 확인해 그 배수로 맞춰 주세요: ${names}`,
  stale: ({ names }) => `오래된 시세예요: ${names}`,
  shorts: ({ names }) => `공매도 잔고는 제외했어요: ${names}`,
  notRecorded: ({ command }) => `계산만 했어요. 매매한 뒤 기록하려면: \`${command}\``,
  notAdvice: '정한 목표에 맞춘 계산이에요(투자 자문 아님).',

  needsTargets: ({ name }) =>
    `${name}의 목표 비중을 알려 주세요: \`/portfolio 리밸런싱 AAPL 40 삼성전자 30 현금 30\`. 저장하려면: \`/portfolio 목표 AAPL 40 삼성전자 30 현금 30\``,
  needsPrice: ({ names }) =>
    `지금 시세나 환율이 없어 계산할 수 없어요: ${names}. 잠시 후 다시 시도해 주세요.`,
  notHundred: ({ sum, rest }) =>
    `비중의 합이 ${sum}%예요. 100%가 되게 고치거나 나머지를 현금으로 두세요: ${rest}`,
  above: ({ sum }) => `비중의 합이 ${sum}%로 100%를 넘어요. 합이 100이 되게 고쳐 주세요.`,
  twice: ({ name }) => `두 번 적힌 이름이 있어요: ${name}. 하나만 남겨 주세요.`,
  leftOver: ({ typed }) =>
    `“${typed}” 부분을 읽지 못했어요. 예: \`/portfolio 리밸런싱 AAPL 40 삼성전자 30 현금 30\`, 새 돈은 \`새 돈 100만원\``,
  tooMany: ({ most }) => `목표는 ${most}개까지 적을 수 있어요.`,
  untradable: ({ name }) => `주식, 펀드, 코인이 아니어서 보유할 수 없어요: ${name}.`,
  nothingThere: ({ name }) =>
    `${name}에는 시세가 있는 보유 종목도 현금도 없어요. 새 돈을 더해 보세요: \`/portfolio 리밸런싱 새 돈 100만원\``,

  targetsSet: ({ name, list }) =>
    `${name}의 목표 비중을 저장했어요: ${list}. 매매 계산: \`/portfolio 리밸런싱\``,
  targetsShown: ({ name, list }) => `${name}의 목표 비중: ${list}`,
  noTargets: ({ name }) =>
    `${name}에는 목표 비중이 없어요. 저장하려면: \`/portfolio 목표 AAPL 40 삼성전자 30 현금 30\``,
  targetsCleared: ({ name }) => `${name}의 목표 비중을 지웠어요.`,
};

export const rebalanceTexts = localized({ en: rebalanceEn, ko: rebalanceKo });
