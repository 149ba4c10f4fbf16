import { counted } from '#src/kernel/locale.ts';
import { type AmountParams, type Named, portfolioKindsEn, portfolioKindsKo } from './kinds.ts';

export interface InCurrency extends Named {
  readonly currency: string;
}

interface TransferParams {
  readonly from: string;
  readonly number: number;
  readonly to: string;
  readonly toNumber: number;
}

interface Numbered extends Named {
  readonly number: number;
}

interface PageParams extends Named {
  readonly count: number;
  readonly page: number;
  readonly pages: number;
}

/** The input, the value that was read from it, and its other possible values. */
interface OtherReading {
  readonly typed: string;
  readonly taken: string;
  readonly others: string;
}

interface UnusualDay {
  /** Includes the day of the week. */
  readonly date: string;
  /** The code of an exchange. */
  readonly market: string;
  /** The trading days around it, as far as known. */
  readonly nearest: readonly string[];
}

interface UnusualPrice {
  readonly price: string;
  readonly origin: string;
  readonly isBeforeSplit: boolean;
}

const nearestEn = ({ nearest }: UnusualDay): string =>
  nearest.length === 0
    ? ''
    : ` Nearest trading ${nearest.length === 1 ? 'day' : 'days'}: ${nearest.join(', ')}.`;

const MARKETS_EN: ReadonlyMap<string, string> = new Map([
  ['NYSE', 'the US market'],
  ['KRX', 'the Korean market'],
  ['TSE', 'the Tokyo market'],
  ['HKEX', 'the Hong Kong market'],
  ['LSE', 'the London market'],
]);
const MARKETS_KO: ReadonlyMap<string, string> = new Map([
  ['NYSE', '미국 증시'],
  ['KRX', '한국 증시'],
  ['TSE', '도쿄 증시'],
  ['HKEX', '홍콩 증시'],
  ['LSE', '런던 증시'],
]);

const marketEn = ({ market }: UnusualDay): string => MARKETS_EN.get(market) ?? market;
const marketKo = ({ market }: UnusualDay): string =>
  MARKETS_KO.has(market) ? `${MARKETS_KO.get(market)}가` : `${market} 시장이`;

const nearestKo = ({ nearest }: UnusualDay): string =>
  nearest.length === 0 ? '' : ` 가까운 거래일: ${nearest.join(', ')}`;

/** Messages about recording, undoing and listing entries. */
export const portfolioEntriesEn = {
  ...portfolioKindsEn,
  entryFee: (p: AmountParams) => `fee ${p.amount}`,
  entryTax: (p: AmountParams) => `tax ${p.amount}`,
  entryRate: (p: { readonly rate: string }) => p.rate,
  entryNote: (p: { readonly note: string }) => `note: ${p.note}`,
  planIn: (p: Named) => `in the portfolio ${p.name}`,
  exact: () => 'No order.',
  recording: (p: Named) => `Recording ${p.name}…`,
  recordingAny: () => 'Recording…',
  lookingUp: () => 'Looking up your portfolio…',

  recorded: (p: Numbered) => `✅ Recorded #${p.number} in **${p.name}**`,
  repeated: (p: Numbered) => `Recorded already: #${p.number} in **${p.name}**. Nothing was added.`,
  made: (p: InCurrency) => `New portfolio: **${p.name}** (${p.currency})`,
  pricedByQuote: (p: { readonly price: string; readonly origin: string }) =>
    `At the last price, ${p.price} (${p.origin})`,
  perShare: (p: { readonly quantity: string; readonly each: string; readonly total: string }) =>
    `${p.quantity} held on the day before × ${p.each} = ${p.total}`,
  splitFirst: () =>
    'A split counts before the trades of its day, so those are left as they are. If they came before the split, undo it and give it a time: `/portfolio split AAPL 4:1 23:59`.',
  pricedByTotal: (p: { readonly total: string; readonly quantity: string; readonly price: string }) =>
    `${p.total} ÷ ${p.quantity} = ${p.price} each`,
  /** Why an entry has to be confirmed, one sentence each. */
  odd: {
    'never-held': (p: { readonly name: string; readonly date: string }) =>
      `No purchase of ${p.name} is recorded until ${p.date}, and only holders get this. Record what you bought first with \`/portfolio add\`, or check the name and the date.`,
    'early-day': (p: { readonly date: string }) => `${p.date} is before 1970. Check the year.`,
    'closed-hour': (p: { readonly time: string }) =>
      `At ${p.time} no Korean exchange trades (08:00–20:00). Check the time and the day.`,
    weekend: (p: UnusualDay) => `${p.date}: weekend, ${marketEn(p)} was closed.${nearestEn(p)}`,
    holiday: (p: UnusualDay & { readonly holiday: string }) =>
      `${p.date}: holiday (${p.holiday}), ${marketEn(p)} was closed.${nearestEn(p)}`,
    'out-of-range': (p: UnusualPrice & { readonly low: string; readonly high: string }) =>
      `The price ${p.price} is outside that day's trading range, ${p.low} to ${p.high} (${p.origin}${p.isBeforeSplit ? '; in shares before later splits' : ''}).`,
    'far-price': (
      p: UnusualPrice & {
        readonly last: string;
        readonly times: string;
        readonly percent: string;
        readonly isAbove: boolean;
      },
    ) =>
      `The price ${p.price} is ${p.isAbove ? `about ${p.times} times` : `only about ${p.percent} of`} the last price, ${p.last} (${p.origin}).`,
    'far-rate': (p: {
      readonly rate: string;
      readonly market: string;
      readonly origin: string;
      readonly price: string;
      readonly likely: string;
    }) =>
      `These amounts come to ${p.rate}, but the market rate was ${p.market} (${p.origin}).${p.likely === '' ? '' : ` ${p.price} looks like the rate: ${p.likely}.`}`,
    'far-typed-rate': (p: { readonly rate: string; readonly market: string; readonly origin: string }) =>
      `The rate that you gave comes to ${p.rate}, but the market rate was ${p.market} (${p.origin}).`,
    'far-file-rate': (p: { readonly rate: string; readonly market: string; readonly origin: string }) =>
      `The file says ${p.rate}, but that day's rate was ${p.market} (${p.origin}).`,
    'other-money': (
      p: UnusualPrice &
        Named & {
          readonly typed: string;
          readonly money: string;
          readonly own: string;
          readonly last: string;
        },
    ) =>
      `${p.typed} looks like an amount in ${p.money}, but ${p.name} trades in ${p.own}, lately at about ${p.last}.`,
    duplicate: (p: { readonly number: number }) =>
      `The same is recorded already, as #${p.number}. Record it again only if it happened twice.`,
    'other-amount': (p: OtherReading) => `"${p.typed}" was read as ${p.taken}; it could also be ${p.others}.`,
    'other-day': (p: OtherReading) => `"${p.typed}" was read as ${p.taken}; it could also be ${p.others}.`,
  },
  notYet: 'Not recorded yet:',
  wouldBe: (p: { readonly entry: string }) => `Record this? ${p.entry}`,
  homeListing: (p: { readonly listing: string; readonly money: string; readonly command: string }) =>
    `In ${p.money} it is traded as ${p.listing}. If you bought that: \`${p.command}\``,
  exchangeDay: (p: { readonly date: string; readonly own: string; readonly market: string }) =>
    `Dated ${p.date} (${MARKETS_EN.get(p.market) ?? p.market}), ${p.own} where you are. Other day? Add a date.`,
  /** The time was written in another time zone than it is stored in. */
  exchangeTime: (p: {
    readonly stored: string;
    readonly place: string;
    readonly own: string;
    readonly ownPlace: string;
  }) => `At ${p.stored} in ${p.place} (${p.own} in ${p.ownPlace}).`,
  exchangeTimeHint: (p: { readonly place: string; readonly time: string; readonly zoned: string }) =>
    `If ${p.time} was the time in ${p.place}, write \`${p.zoned}\`.`,
  maybeMeant: (p: { readonly trades: string }) => `Or did you mean: ${p.trades}?`,
  recordAnywayHint: (p: { readonly command: string }) => `To record it as it is: \`${p.command}\``,
  recordOn: (p: { readonly date: string }) => `Record on ${p.date}`,
  /** The price was given in another currency than that of the instrument. */
  converted: (
    p: Named & {
      readonly typed: string;
      readonly own: string;
      readonly price: string;
      readonly rate: string;
      /** Empty if the person gave the rate. */
      readonly origin: string;
    },
  ) =>
    `${p.name} trades in ${p.own}. ${p.typed} comes to ${p.price} at the rate ${p.rate}${p.origin === '' ? '' : ` (${p.origin})`}.`,
  convertedHint: (p: { readonly command: string }) => `To record that: \`${p.command}\``,
  convertedRateHint: (p: { readonly command: string }) => `To record that, with its rate: \`${p.command}\``,
  sampleRate: 'SAMPLE rate',
  sampleRateTo: (p: { readonly currency: string }) => `SAMPLE rate to ${p.currency}`,
  recordConverted: (p: { readonly price: string }) => `Record at ${p.price}`,
  recordRated: (p: { readonly rate: string }) => `Record with ${p.rate}`,
  recordAnyway: 'Record as it is',
  recordOther: (p: { readonly quantity: string; readonly price: string }) => `${p.quantity} at ${p.price}`,
  noQuote: (p: Named) => `There is no price of ${p.name} right now. Please give the price of the trade.`,
  priceOfDay: (p: { readonly date: string }) =>
    `At what price? For a trade of ${p.date} please give the price of one piece, for example \`AAPL 10 190.5\`.`,
  taxComputed: (p: AmountParams) => `Tax ${p.amount} is computed.`,
  nowHeld: (p: Named & { readonly quantity: string; readonly average: string }) =>
    `Now held: ${p.quantity}, average cost ${p.average}`,
  nowNone: (p: Named) => `None left of ${p.name}`,
  neverHeld: (p: Named) =>
    `No purchase of ${p.name} is recorded here. If you hold it, record what you bought with \`/portfolio add\`.`,
  realisedBySale: (p: { readonly gain: string }) => `Profit on this sale: ${p.gain}`,
  gainsChanged: (p: { readonly changes: string }) => `⚠️ Changed later gains: ${p.changes}`,
  cashNow: (p: { readonly amounts: string }) => `Cash: ${p.amounts}`,
  cashSince: (p: { readonly date: string }) => `Cash counts from ${p.date}.`,
  cashShort: () =>
    'The purchases recorded from that day on make it negative. If you held those stocks before, take these entries back and record them with their real dates.',
  undo: (p: { readonly number: number }) => `Undo #${p.number}`,
  undoPlan: (p: Numbered) => `Take back entry #${p.number} of the portfolio ${p.name}`,
  undoWhich: () =>
    'More may have been recorded since the question, so nothing was taken back. Say which entry, for example "undo #3"; `/portfolio history` shows the numbers.',
  undoing: () => 'Undoing the entry…',
  transferred: (p: TransferParams) => `✅ Moved: **${p.from}** #${p.number} → **${p.to}** #${p.toNumber}`,
  transferredBefore: (p: TransferParams) =>
    `This was recorded already, as #${p.number} of **${p.from}** and #${p.toNumber} of **${p.to}**. Nothing was added.`,
  costGoesAlong: (p: { readonly cost: string; readonly days: string }) =>
    `Cost ${p.cost} and day ${p.days} went along.`,
  /** Above what would be recorded. */
  costWillGo: () => 'Cost and day of purchase go along.',
  ownTax: (p: { readonly name: string; readonly kind: string }) =>
    `**${p.name}** is a Korean ${p.kind}: what is sold there is not in the tax report.`,
  transferWhere: (p: { readonly names: string; readonly example: string }) =>
    `From which portfolio to which? You have ${p.names}, for example \`/portfolio ${p.example}\`.`,
  transferAlone: () =>
    'A transfer needs two portfolios. Create the other one first, for example `/portfolio new pension USD`.',
  transferSame: (p: { readonly name: string }) => `Both sides are **${p.name}**. Please name two portfolios.`,
  transferInRange: (p: { readonly number: number; readonly command: string }) =>
    `#${p.number} is a transfer to or from another portfolio, so it is taken back on its own: \`${p.command}\``,
  undoneBoth: (p: TransferParams) =>
    `↩️ Undone: #${p.number} in **${p.from}** and #${p.toNumber} in **${p.to}**`,
  undone: (p: Numbered) => `↩️ Undone: #${p.number} in **${p.name}**`,
  undoneRange: (p: Named & { readonly from: number; readonly to: number; readonly count: string }) =>
    `↩️ Undone: #${p.from}–#${p.to} in **${p.name}** (${p.count})`,
  undoneBefore: (p: { readonly number: number }) => `#${p.number} was taken back already. Nothing changed.`,
  noSuchEntry: (p: Numbered) =>
    `There is no entry #${p.number} in ${p.name}. \`/portfolio history\` shows the numbers.`,
  nothingToUndo: (p: Named) => `There is nothing in ${p.name} that could be taken back.`,
  /** An entry of an earlier day makes a later one impossible. */
  breaksLater: (p: { readonly why: string }) =>
    `With this entry a later one would not fit any more. ${p.why}`,
  undoBreaks: (p: { readonly number: number; readonly why: string }) =>
    `#${p.number} cannot be taken back, because later entries need it. ${p.why}`,
  undoFirst: (p: { readonly number: number; readonly later: number; readonly command: string }) =>
    `#${p.number} cannot be taken back, because #${p.later} needs it. Take back #${p.later} first: \`${p.command}\``,

  historyTitle: (p: PageParams) =>
    `**${p.name}** · ${counted(p.count, 'entry', 'entries')}${p.pages > 1 ? ` · page ${p.page} of ${p.pages}` : ''}`,
  historyEmpty: (p: Named) =>
    `Nothing is recorded in ${p.name} yet. Begin with \`/portfolio add AAPL 10 190.5\`.`,
  takenBack: 'taken back',
  historyTitleOf: (p: PageParams & { readonly of: string }) =>
    `**${p.name}** · ${p.of} · ${counted(p.count, 'entry', 'entries')}${p.pages > 1 ? ` · page ${p.page} of ${p.pages}` : ''}`,
  historyNone: (p: Named & { readonly of: string }) =>
    `Nothing of ${p.of} is recorded in ${p.name}. \`/portfolio history\` shows all entries.`,
  noSuchPage: (p: { readonly page: number; readonly pages: number }) =>
    p.pages === 1
      ? `There is no page ${p.page}: all entries fit on one page, \`/portfolio history\`.`
      : `There is no page ${p.page}, only ${p.pages}. The last one: \`/portfolio history ${p.pages}\`.`,
  historyHint: () => 'Undo one: `/portfolio undo NUMBER`',
};

export const portfolioEntriesKo: typeof portfolioEntriesEn = {
  ...portfolioKindsKo,
  entryFee: (p) => `수수료 ${p.amount}`,
  entryTax: (p) => `세금 ${p.amount}`,
  entryRate: (p) => `환율 ${p.rate}`,
  entryNote: (p) => `메모: ${p.note}`,
  planIn: (p) => `포트폴리오 ${p.name}`,
  exact: () => '기록만 남겨요(주문 아님).',
  recording: (p) => `${p.name} 거래 기록 중…`,
  recordingAny: () => '거래 기록 중…',
  lookingUp: () => '포트폴리오 조회 중…',

  recorded: (p) => `✅ **${p.name}** #${p.number} 기록했어요`,
  repeated: (p) => `이미 기록되어 있어 추가하지 않았어요: **${p.name}** #${p.number}`,
  made: (p) => `새 포트폴리오: **${p.name}** (${p.currency})`,
  pricedByQuote: (p) => `최근 시세로 기록했어요: ${p.price} (${p.origin})`,
  perShare: (p) => `전날 보유 ${p.quantity} × ${p.each} = ${p.total}`,
  splitFirst: () =>
    '분할·병합은 그날의 거래보다 먼저 적용되므로 그날의 거래 수량은 그대로예요. 그날 거래가 먼저였다면 이 기록을 취소하고 시각을 함께 적어 주세요. 예: `/portfolio 분할 AAPL 4:1 23:59`',
  pricedByTotal: (p) => `총액 ${p.total} ÷ ${p.quantity} = 단가 ${p.price}`,
  odd: {
    'never-held': (p) =>
      `${p.date}까지 매수 기록이 없는 종목이에요: ${p.name}. 보유자만 받는 것이니 \`/portfolio 매수\`로 먼저 기록하시거나 종목과 날짜를 확인해 주세요.`,
    'early-day': (p) => `1970년 이전 날짜예요: ${p.date}. 연도를 확인해 주세요.`,
    'closed-hour': (p) =>
      `${p.time}에는 한국거래소와 넥스트레이드 모두 거래가 없어요(08:00–20:00). 시각과 날짜를 확인해 주세요.`,
    weekend: (p) => `${p.date}에는 ${marketKo(p)} 쉬었어요(주말).${nearestKo(p)}`,
    holiday: (p) => `${p.date}에는 ${marketKo(p)} 쉬었어요(${p.holiday}).${nearestKo(p)}`,
    'out-of-range': (p) =>
      `그날 거래된 가격은 ${p.low}~${p.high}(${p.origin}${p.isBeforeSplit ? ', 이후 분할·병합 전 기준' : ''})인데 적은 단가는 ${p.price}이에요.`,
    'far-price': (p) =>
      `최근 시세는 ${p.last}(${p.origin})인데 적은 단가(${p.price})는 그 ${p.isAbove ? `${p.times}배` : p.percent} 정도예요.`,
    'far-rate': (p) =>
      `두 금액대로라면 환율이 ${p.rate}인데, 시장 환율은 ${p.market}이에요(${p.origin}).${p.likely === '' ? '' : ` 적은 ${p.price} 금액이 환율이라면 ${p.likely}이에요.`}`,
    'far-file-rate': (p) => `파일의 환율은 ${p.rate}인데, 그날 환율은 ${p.market}이에요(${p.origin}).`,
    'far-typed-rate': (p) => `적은 환율대로라면 ${p.rate}인데, 시장 환율은 ${p.market}이에요(${p.origin}).`,
    'other-money': (p) =>
      `적은 금액(${p.typed})은 ${p.money} 금액으로 보여요. ${p.name}의 거래 통화는 ${p.own}이며, 최근 시세는 ${p.last} 정도예요.`,
    duplicate: (p) =>
      `같은 내용이 이미 #${p.number}번으로 기록되어 있어요. 두 번 있었던 일일 때만 다시 기록해 주세요.`,
    'other-amount': (p) => `"${p.typed}" 금액을 ${p.taken} 값으로 읽었어요. ${p.others} 값일 수도 있어요.`,
    'other-day': (p) => `"${p.typed}" 날짜를 ${p.taken} 거래로 읽었어요. ${p.others} 거래일 수도 있어요.`,
  },
  notYet: '아직 기록하지 않았어요:',
  wouldBe: (p) => `이대로 기록할까요? ${p.entry}`,
  homeListing: (p) => `${p.money} 거래 종목: ${p.listing}. 이 종목이라면: \`${p.command}\``,
  exchangeDay: (p) =>
    `${MARKETS_KO.get(p.market) ?? p.market} 기준 ${p.date}이에요(여기는 ${p.own}). 다른 날이면 날짜를 적어 주세요.`,
  exchangeTime: (p) => `${p.place} 시간 ${p.stored} (${p.ownPlace} 시간 ${p.own})`,
  exchangeTimeHint: (p) =>
    `적은 시각(${p.time})이 ${p.place} 시간이라면 \`${p.zoned}\`처럼 시간대를 붙여 주세요.`,
  maybeMeant: (p) => `혹시 이런 뜻인가요? ${p.trades}`,
  recordAnywayHint: (p) => `그대로 기록하려면: \`${p.command}\``,
  recordOn: (p) => `${p.date} 날짜로 기록`,
  converted: (p) =>
    `${p.name}의 거래 통화: ${p.own}. 환율(${p.rate}${p.origin === '' ? '' : `, ${p.origin}`})로 계산하면 ${p.typed} = ${p.price}이에요.`,
  convertedHint: (p) => `이 금액으로 기록하려면: \`${p.command}\``,
  convertedRateHint: (p) => `이 금액과 환율로 기록하려면: \`${p.command}\``,
  sampleRate: '샘플(SAMPLE) 환율',
  sampleRateTo: (p) => `${p.currency} 환산은 샘플(SAMPLE) 환율`,
  recordConverted: (p) => `${p.price} 금액으로 기록`,
  recordRated: (p) => `환율 ${p.rate}로 기록`,
  recordAnyway: '그대로 기록',
  recordOther: (p) => `${p.quantity} × ${p.price}`,
  noQuote: (p) => `지금 ${p.name} 시세를 가져올 수 없어요. 거래 단가를 함께 적어 주세요.`,
  priceOfDay: (p) =>
    `${p.date} 거래의 단가가 없어요. 한 주의 가격을 함께 적어 주세요. 예: \`삼성전자 10주 71,000원\``,
  taxComputed: (p) => `거래세 ${p.amount}은 자동 계산이에요.`,
  nowHeld: (p) => `지금 ${p.quantity}, 평단 ${p.average}`,
  nowNone: (p) => `${p.name}: 남은 수량이 없어요`,
  neverHeld: (p) => `${p.name}: 매수 기록이 없어요. 보유 중이시면 \`/portfolio 매수\`로 먼저 기록해 주세요.`,
  realisedBySale: (p) => `이번 손익 ${p.gain}`,
  gainsChanged: (p) => `⚠️ 이후 거래의 실현손익이 바뀌었어요: ${p.changes}`,
  cashNow: (p) => `현금: ${p.amounts}`,
  cashSince: (p) => `현금은 ${p.date}부터 계산해요.`,
  cashShort: () =>
    '그날부터 기록한 매수 때문에 현금이 0보다 작아졌어요. 전부터 보유하던 종목이라면 그 기록을 취소하고 실제 매수일로 다시 기록해 주세요.',
  undo: (p) => `#${p.number} 취소`,
  undoPlan: (p) => `${p.name} 포트폴리오의 #${p.number}번 기록 취소`,
  undoWhich: () =>
    '질문 뒤에 다른 거래가 기록되었을 수 있어 취소하지 않았어요. "3번 기록 취소해줘"처럼 번호를 알려 주세요. 번호는 `/portfolio 내역`에서 보실 수 있어요.',
  undoing: () => '기록을 취소하는 중…',
  transferred: (p) => `✅ 옮겼어요: **${p.from}** #${p.number} → **${p.to}** #${p.toNumber}`,
  transferredBefore: (p) =>
    `**${p.from}** #${p.number}번과 **${p.to}** #${p.toNumber}번으로 이미 기록되어 있어 추가하지 않았어요.`,
  costGoesAlong: (p) => `원가 ${p.cost}, 매수일 ${p.days}도 옮겼어요.`,
  costWillGo: () => '원가와 매수일도 함께 옮겨요.',
  ownTax: (p) => `**${p.name}** 포트폴리오는 ${p.kind}라서, 거기서 판 것은 세금 요약에 들어가지 않아요.`,
  transferWhere: (p) =>
    `어느 포트폴리오에서 어디로 옮기셨나요? 포트폴리오: ${p.names}. 예: \`/portfolio ${p.example}\``,
  transferAlone: () =>
    '이체하려면 포트폴리오가 두 개 있어야 해요. 먼저 하나 더 만들어 주세요. 예: `/portfolio 새로 연금 USD`',
  transferSame: (p) => `양쪽이 모두 **${p.name}** 포트폴리오예요. 서로 다른 두 개를 적어 주세요.`,
  transferInRange: (p) =>
    `#${p.number}번은 다른 포트폴리오와의 이체라서 따로 취소해야 해요: \`${p.command}\``,
  undoneBoth: (p) => `↩️ **${p.from}** #${p.number}, **${p.to}** #${p.toNumber} 취소했어요`,
  undone: (p) => `↩️ **${p.name}** #${p.number} 취소했어요`,
  undoneRange: (p) => `↩️ **${p.name}** #${p.from}~#${p.to}, ${p.count}건을 모두 취소했어요`,
  undoneBefore: (p) => `#${p.number}번은 이미 취소된 기록이라 바뀐 것이 없어요.`,
  noSuchEntry: (p) =>
    `${p.name} 포트폴리오에 #${p.number}번 기록이 없어요. \`/portfolio 내역\`에서 번호를 확인해 주세요.`,
  nothingToUndo: (p) => `${p.name} 포트폴리오에 취소할 기록이 없어요.`,
  breaksLater: (p) => `이 기록을 넣으면 그 뒤의 기록과 맞지 않아요. ${p.why}`,
  undoBreaks: (p) => `#${p.number}번은 뒤의 기록에 필요해서 취소할 수 없어요. ${p.why}`,
  undoFirst: (p) =>
    `#${p.number}번은 #${p.later}번에 필요해서 취소할 수 없어요. #${p.later}번을 먼저 취소해 주세요: \`${p.command}\``,

  historyTitle: (p) =>
    `**${p.name}** · 기록 ${p.count}건${p.pages > 1 ? ` · ${p.page}/${p.pages}페이지` : ''}`,
  historyEmpty: (p) =>
    `${p.name} 포트폴리오에 아직 기록이 없어요. \`/portfolio 매수 삼성전자 10주 71,000원\`처럼 시작해 보세요.`,
  takenBack: '취소됨',
  historyTitleOf: (p) =>
    `**${p.name}** · ${p.of} · 기록 ${p.count}건${p.pages > 1 ? ` · ${p.page}/${p.pages}페이지` : ''}`,
  historyNone: (p) =>
    `${p.name} 포트폴리오에 ${p.of} 기록이 없어요. 전체 기록은 \`/portfolio 내역\`에서 보실 수 있어요.`,
  noSuchPage: (p) =>
    p.pages === 1
      ? `${p.page}페이지는 없어요. 기록이 한 페이지에 모두 있으니 \`/portfolio 내역\`을 입력해 주세요.`
      : `${p.page}페이지는 없고 ${p.pages}페이지까지 있어요. 마지막 페이지: \`/portfolio 내역 ${p.pages}\``,
  historyHint: () => '취소: `/portfolio 취소 번호`',
};
