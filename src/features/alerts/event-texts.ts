interface Change {
  readonly before: string;
  readonly now: string;
}

interface Span {
  readonly from: string;
  readonly to: string;
}

interface Extreme {
  readonly value: string;
  readonly price: string;
}

interface Ratio {
  /** `4:1`; of a reverse split `1:10` in English and `10:1` in Korean, as each is read. */
  readonly ratio: string;
  readonly isReverse: boolean;
}

interface Splits {
  /** `4:1 split on 2026-11-16`, several of them with commas. */
  readonly splits: string;
}

const splitEn = ({ ratio, isReverse }: Ratio): string => `${ratio} ${isReverse ? 'reverse split' : 'split'}`;
const splitKo = ({ ratio, isReverse }: Ratio): string => `${ratio} 주식 ${isReverse ? '병합' : '분할'}`;

/** Messages about splits, confirmed prices, and levels that were reached between two evaluations. */
export const alertEventsEn = {
  split: (p: Ratio & { readonly date: string }) => `${splitEn(p)} on ${p.date}`,
  wasSplit: (p: Splits & { readonly name: string }) =>
    `✂️ **${p.name}**: ${p.splits}. I adjusted your alerts to the new price, and they go on:`,
  changed: (p: Change & { readonly id: string }) => `- \`${p.id}\` "${p.before}" is now "${p.now}".`,
  extreme: (p: Change & { readonly id: string; readonly what: string }) =>
    `- \`${p.id}\` ${p.what}: the last one, ${p.before}, counts as ${p.now}.`,
  listNote: (p: Splits & { readonly before: string }) =>
    `adjusted for the ${p.splits}, before that ${p.before}`,
  listNoteBare: (p: Splits) => `adjusted for the ${p.splits}`,
  unreported: (p: Change & Ratio & { readonly name: string; readonly at: string }) =>
    `⚠️ **${p.name}**: it was at ${p.before} when I last saw it, and is at ${p.now} now. That looks like about a ${splitEn(p)}, but the data source reports none. So that nothing fires wrongly, I have not judged these alerts since ${p.at}:`,
  unreportedHow: (p: { readonly id: string }) =>
    `If it was a split that stays unreported, delete them (\`/alert delete ${p.id}\`) and set them at the new price. Otherwise I judge them again after the next trading day, or as soon as the split is reported.`,
  reached: {
    high: (p: Span & Extreme) =>
      `This happened between ${p.from} and ${p.to}, exact time unknown: the day's high is ${p.value}, the price now ${p.price}.`,
    low: (p: Span & Extreme) =>
      `This happened between ${p.from} and ${p.to}, exact time unknown: the day's low is ${p.value}, the price now ${p.price}.`,
  },
  confirmed: {
    plain: 'The price had moved so far that I looked twice: a second look confirmed it.',
    checked:
      'The price had moved so far that I looked twice: a second look confirmed it, and no recent split is known.',
    beyondSplit:
      'The price had moved so far that I looked twice: a second look confirmed it, and the recent split does not explain it.',
    unchecked:
      '⚠️ The price has moved very far. A second look confirmed it, but I could not check whether it was a split: please check yourself.',
  },
};

export const alertEventsKo: typeof alertEventsEn = {
  split: (p) => `${p.date} ${splitKo(p)}`,
  wasSplit: (p) =>
    `✂️ **${p.name}**: ${p.splits}이 있었습니다. 알림을 새 가격에 맞게 바꿨으며 계속 확인합니다.`,
  changed: (p) => `- \`${p.id}\` 이전 "${p.before}" → 지금 "${p.now}"`,
  extreme: (p) => `- \`${p.id}\` ${p.what}: 기준이 되는 직전 값 ${p.before} → ${p.now}`,
  listNote: (p) => `${p.splits} 반영, 이전 기준 ${p.before}`,
  listNoteBare: (p) => `${p.splits} 반영`,
  unreported: (p) =>
    `⚠️ **${p.name}**: 마지막으로 확인한 가격은 ${p.before}인데 지금은 ${p.now}입니다. 약 ${splitKo(p)}으로 보이지만 시세 제공처에는 관련 정보가 없습니다. 잘못 울리지 않도록 ${p.at}부터 다음 알림을 판단하지 않고 있습니다.`,
  unreportedHow: (p) =>
    `실제 분할·병합이라면 \`/alert delete ${p.id}\`로 삭제하고 새 가격으로 다시 설정해 주세요. 아니라면 다음 거래일이 지난 뒤, 또는 분할·병합 정보가 확인되는 대로 다시 판단합니다.`,
  reached: {
    high: (p) =>
      `${p.from}에서 ${p.to} 사이에 조건을 충족했습니다(정확한 시각은 알 수 없습니다). 당일 고가 ${p.value}, 현재가 ${p.price}`,
    low: (p) =>
      `${p.from}에서 ${p.to} 사이에 조건을 충족했습니다(정확한 시각은 알 수 없습니다). 당일 저가 ${p.value}, 현재가 ${p.price}`,
  },
  confirmed: {
    plain: '가격 변동이 매우 커서 두 번 확인한 시세입니다.',
    checked: '가격 변동이 매우 커서 두 번 확인한 시세입니다. 최근 확인된 주식 분할·병합은 없습니다.',
    beyondSplit:
      '가격 변동이 매우 커서 두 번 확인한 시세입니다. 최근의 주식 분할·병합으로는 설명되지 않는 변동입니다.',
    unchecked:
      '⚠️ 가격 변동이 매우 커서 두 번 확인했지만, 주식 분할·병합 여부는 조회하지 못했습니다. 직접 확인해 주세요.',
  },
};
