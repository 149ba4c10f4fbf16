import { counted, localized } from '#src/kernel/locale.ts';

interface Apart {
  readonly shown: string;
  readonly computed: string;
}

/** `what` is the number on the picture. */
const en =
  (sum: string, what: string) =>
  ({ shown, computed }: Apart): string =>
    `does not add up: ${sum} is ${computed}, but the picture says ${shown} for the ${what}.`;

const picturesEn = {
  read: (p: { readonly rows: number }) =>
    `An AI model read ${p.rows === 1 ? '1 row' : `${p.rows} rows`} of your screenshot; please compare. The screenshot is not stored.`,
  opening: (p: { readonly date: string; readonly isShown: boolean }) =>
    p.isShown
      ? `Positions are recorded as held before, at their average price, on ${p.date}, the date on the picture.`
      : `Positions are recorded as held before, at their average price, on ${p.date} (today), because the picture shows no date.`,
  fits: () => 'The rows add up to the totals on the picture.',
  noTotals: () => 'The picture shows no totals, so each row was checked by itself.',
  differs: (p: Apart & { readonly total: string }) =>
    `⚠️ The rows do not add up to the picture: ${p.total} is ${p.shown} there, but the rows make ${p.computed}.`,
  cut: (p: { readonly missing: string }) =>
    `⚠️ The list goes on beyond the picture: ${p.missing} of its total is missing. Send the other part as another screenshot.`,
  count: (p: { readonly shown: number; readonly read: number; readonly isOfTrades: boolean }) =>
    `⚠️ The picture names ${counted(p.shown, p.isOfTrades ? 'trade' : 'position')}, but shows ${p.read}. Send the other part as another screenshot.`,
  totals: {
    value: 'the value',
    cost: 'the purchase amount',
    gain: 'the gain',
    bought: 'the sum of purchases',
    sold: 'the sum of sales',
  },
  cash: (p: { readonly amount: string; readonly command: string }) =>
    `The cash, ${p.amount}, is not recorded. To add it: \`${p.command}\``,
  sums: {
    cost: en('quantity × average price', 'purchase amount'),
    paid: en('quantity × average price', 'value less the gain'),
    difference: en('quantity × (price − average price)', 'gain'),
    value: en('quantity × price', 'value'),
    gain: en('value − purchase amount', 'gain'),
    percent: en('the gain as a share of the purchase amount', 'percentage'),
    amount: en('quantity × price', 'amount'),
    settled: en('the amount with fees and taxes', 'settled amount'),
  },
  unread: (p: { readonly written: string }) => `“${p.written}” cannot be read as a number.`,
  unchecked: () => 'no other number on the picture confirms the quantity and the price.',
  depends: () => 'it only works if a row in doubt is recorded too.',
  total: () => 'all rows together differ from the total on the picture.',
  market: (p: { readonly shown: string; readonly market: string; readonly origin: string }) =>
    `the price on the picture, ${p.shown}, is far from the market's ${p.market} (${p.origin}): it may be another instrument, or misread.`,
  doubted: (p: { readonly count: string }) =>
    `**Rows in doubt: ${p.count}** (recorded only if you choose them too; else send a sharper picture, or record them with \`/portfolio add\`)`,
  typed: (p: { readonly command: string }) => `To record the rows in doubt too, send \`${p.command}\`.`,
  line: (p: { readonly line: number; readonly entry: string; readonly doubts: string }) =>
    `- Row ${p.line}: ${p.entry}: ${p.doubts}`,
  recordDoubted: (p: { readonly count: string; readonly doubted: string }) =>
    `Record ${p.count}, with ${p.doubted} in doubt`,
};

const ko =
  (sum: string, what: string) =>
  ({ shown, computed }: Apart): string =>
    `합계와 맞지 않음: ${sum} = ${computed}, 화면의 ${what} = ${shown}.`;

const picturesKo: typeof picturesEn = {
  read: (p) => `캡처에서 ${p.rows}개를 읽었어요. 맞는지 확인해 주세요. (AI가 읽었고, 캡처는 저장하지 않아요)`,
  opening: (p) =>
    p.isShown
      ? `보유 종목은 화면의 기준일 ${p.date}에 평균단가로 이미 갖고 있던 것으로 기록해요.`
      : `화면에 기준일이 없어, 보유 종목은 오늘(${p.date}) 평균단가로 이미 갖고 있던 것으로 기록해요.`,
  fits: () => '항목 합계가 화면의 합계와 맞아요.',
  noTotals: () => '화면에 합계가 없어 항목마다 따로 확인했어요.',
  differs: (p) =>
    `⚠️ 합계와 맞지 않음: 화면의 ${p.total} 합계는 ${p.shown}인데 항목 합계는 ${p.computed}이에요.`,
  cut: (p) =>
    `⚠️ 화면이 잘려 있어요. 화면의 합계에서 ${p.missing}만큼이 보이지 않아요. 나머지 화면도 따로 보내 주세요.`,
  count: (p) =>
    `⚠️ 화면에는 ${p.isOfTrades ? '거래가' : '종목이'} ${p.shown}개라고 적혀 있는데 ${p.read}개만 보여요. 나머지 화면도 따로 보내 주세요.`,
  totals: {
    value: '평가금액',
    cost: '매입금액',
    gain: '평가손익',
    bought: '매수금액',
    sold: '매도금액',
  },
  cash: (p) => `예수금 ${p.amount}은 기록하지 않아요. 넣으려면: \`${p.command}\``,
  sums: {
    cost: ko('수량 × 평균단가', '매입금액'),
    paid: ko('수량 × 평균단가', '평가금액 − 평가손익'),
    difference: ko('수량 × (현재가 − 평균단가)', '평가손익'),
    value: ko('수량 × 현재가', '평가금액'),
    gain: ko('평가금액 − 매입금액', '평가손익'),
    percent: ko('평가손익 ÷ 매입금액', '수익률'),
    amount: ko('수량 × 단가', '거래금액'),
    settled: ko('거래금액과 수수료·세금', '정산금액'),
  },
  unread: (p) => `숫자로 읽을 수 없어요: “${p.written}”.`,
  unchecked: () => '수량과 단가를 확인해 줄 다른 숫자가 화면에 없어요.',
  depends: () => '확인이 필요한 다른 항목도 함께 기록해야 해요.',
  total: () => '항목 합계가 화면의 합계와 달라요.',
  market: (p) =>
    `화면의 현재가 ${p.shown}이 시세 ${p.market}(${p.origin})과 크게 달라요. 다른 종목이거나 잘못 읽었을 수 있어요.`,
  doubted: (p) =>
    `**확인할 항목: ${p.count}개** (따로 골라야 기록해요. 더 선명한 화면이나 \`/portfolio 매수\`도 돼요)`,
  typed: (p) => `확인이 필요한 항목까지 기록하려면 \`${p.command}\`라고 보내 주세요.`,
  line: (p) => `- ${p.line}번째 항목: ${p.entry}: ${p.doubts}`,
  recordDoubted: (p) => `확인이 필요한 ${p.doubted}건까지 ${p.count}건 기록`,
};

export const pictureTexts = localized({ en: picturesEn, ko: picturesKo });
