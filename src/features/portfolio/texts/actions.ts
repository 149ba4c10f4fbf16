import { counted, localized } from '#src/kernel/locale.ts';
import { hasFinalConsonant } from '#src/reading/particles.ts';

interface OfSplit {
  readonly name: string;
  /** `10:1`. A reverse split is `1:10` in English and `10:1` in Korean. */
  readonly ratio: string;
  readonly isReverse: boolean;
  readonly date: string;
}

interface Resized extends OfSplit {
  readonly before: string;
  readonly after: string;
}

interface Counted {
  readonly count: number;
}

interface Dividend {
  readonly name: string;
  readonly amount: string;
  /** The day that it is recorded on. */
  readonly day: string;
}

interface CountryTax extends Counted {
  readonly country: string;
  /** Undefined if no usual rate is known. */
  readonly percent: string | undefined;
  /** In each currency, before and after tax. */
  readonly sums: string;
  /** The percent that a Korean broker takes in all, if it takes more. */
  readonly atHome: string | undefined;
}

const usualEn = ({ percent }: CountryTax): string => {
  if (percent === undefined) return 'no usual rate known';
  return percent === '0' ? 'nothing withheld there' : `usually ${percent}%`;
};
const usualKo = ({ percent }: CountryTax): string => {
  if (percent === undefined) return '통상 세율을 모름';
  return percent === '0' ? '현지 원천징수 없음' : `통상 ${percent}%`;
};

interface Typed {
  /** The name or day that was asked for; undefined if everything was. */
  readonly typed: string | undefined;
}

interface Commanded {
  readonly command: string;
}

interface OfEntries {
  /** `#2, #3`. */
  readonly entries: string;
  readonly count: number;
}

interface Mixed extends Resized, OfEntries {
  /** The figures beside it that include the split: the marked ones, all, or none if no figures are shown. */
  readonly figures: 'marked' | 'all' | 'none';
}

interface Recorded extends OfSplit {
  readonly number: number;
  readonly undo: string;
}

type Ratio = Pick<OfSplit, 'ratio' | 'isReverse'>;

const splitEn = ({ ratio, isReverse }: Ratio): string => `${ratio} ${isReverse ? 'reverse split' : 'split'}`;
const kindKo = ({ isReverse }: Pick<Ratio, 'isReverse'>): string => (isReverse ? '병합' : '분할');
const splitKo = (p: Ratio): string => `${p.ratio} ${kindKo(p)}`;
const againEn = ({ entries, count }: OfEntries): string =>
  count === 1
    ? `Take ${entries} back, record it in shares of its day, then record the split.`
    : `Take ${entries} back, record them in shares of their days, then record the split.`;

const allowedEn = {
  marked: '; figures marked ⚠️ allow for that',
  all: '; all figures here allow for that',
  none: '',
};
const allowedKo = {
  marked: ' ⚠️ 표시된 수치는 이를 감안한 값이에요.',
  all: ' 여기의 수치는 이를 감안한 값이에요.',
  none: '',
};

/** Appends 은 or 는 by the last Hangul syllable: `카카오는`, `애플 (AAPL)은`. */
const topic = (name: string): string => {
  const last = name.match(/[가-힣]/gu)?.at(-1);
  if (last === undefined) return `${name}은(는)`;
  return `${name}${hasFinalConsonant(last) ? '은' : '는'}`;
};

/** Messages about splits and dividends that a source reports and a portfolio may lack. */
const portfolioActionsEn = {
  splitMissing: (p: Resized) =>
    `⚠️ ${p.name}: the ${splitEn(p)} of ${p.date} is not recorded. Figures marked ⚠️ include it (${p.before} → ${p.after}).`,
  splitUnsure: (p: Resized) =>
    `⚠️ ${p.name}: the ${splitEn(p)} of ${p.date} is not recorded, so no value is shown until it is recorded or dismissed.`,
  /** For views whose figures carry no mark. */
  splitCounted: (p: Resized) =>
    `⚠️ ${p.name}: all figures here count with the ${splitEn(p)} of ${p.date} (${p.before} → ${p.after}), which is not recorded.`,
  splitDismissed: (p: Resized & Commanded) =>
    `⚠️ ${p.name}: you dismissed the ${splitEn(p)} of ${p.date}, so figures do not count with it. To bring it back: \`${p.command}\``,
  splitsUnchecked: (p: { readonly names: string; readonly since: string }) =>
    `⚠️ Splits since ${p.since} not checked, so check the quantity: ${p.names}`,
  priceDoubted: (p: Commanded & { readonly name: string }) =>
    `⚠️ check ${p.name}: its price has jumped as after a split, and none is reported yet, so no value is shown until that is clear. If it was no split: \`${p.command}\``,
  restoreWord: 'restore',
  recordWord: 'record',
  allWord: 'all',
  dismissWord: 'dismiss',
  splitName: splitEn,
  splitMixed: (p: Mixed) =>
    `⚠️ ${p.name}: the ${splitEn(p)} of ${p.date} is not recorded, but ${p.entries} already ${p.count === 1 ? 'counts' : 'count'} it${allowedEn[p.figures]}. ${againEn(p)}`,
  splitClosed: (p: Recorded & { readonly command: string }) =>
    `⚠️ ${p.name}: the ${splitEn(p)} of ${p.date} is not recorded, and #${p.number} sold everything after it, counted without the split, so its gain is wrong. Take it back with \`${p.undo}\`, record the split with \`${p.command}\`, then record the sale again.`,
  splitTwice: (p: Recorded & OfEntries) =>
    `⚠️ ${p.name}: the ${splitEn(p)} of ${p.date} counts twice: #${p.number} records it, but ${p.entries} already ${p.count === 1 ? 'counts' : 'count'} it. Take #${p.number} back with \`${p.undo}\`.`,
  splitOtherRatio: (p: Recorded & { readonly own: string }) =>
    `⚠️ ${p.name}: #${p.number} records a ${p.own}, but the data source reports a ${splitEn(p)} on ${p.date}. If that is right, take it back with \`${p.undo}\` and record it again.`,
  undoSplit: (p: { readonly number: number; readonly name: string }) => `Take back #${p.number} (${p.name})`,
  countedWithSplit: (p: { readonly position: string }) => `${p.position} (counted with the split)`,
  /** Shown before a trade is recorded that is dated after the split. */
  splitBefore: (p: Resized) =>
    `The ${splitEn(p)} of ${p.name} on ${p.date} is not recorded: the ${p.before} you held before it became ${p.after}.`,
  splitBeforeMixed: (p: Resized & OfEntries) =>
    `The ${splitEn(p)} of ${p.name} on ${p.date} is not recorded, but ${p.entries} already ${p.count === 1 ? 'counts' : 'count'} it. ${againEn(p)}`,
  splitFirst: (p: { readonly commands: string; readonly trade: string }) =>
    `Record the split first: ${p.commands}. Then send \`${p.trade}\`.`,
  splitMissingHint: (p: Resized & { readonly command: string }) =>
    `The ${splitEn(p)} of ${p.date} is not recorded (${p.before} → ${p.after}): record it first with \`${p.command}\`, then send this again.`,
  splitUnlike: (p: OfSplit & { readonly own: string }) =>
    `The data source reports a ${splitEn(p)} of ${p.name} on ${p.date}, not a ${p.own}.`,
  splitAlready: (p: OfSplit & OfEntries) =>
    `Your entries already count the ${splitEn(p)} of ${p.name} on ${p.date} (${p.entries}). Recording it counts it twice.`,
  splitRecorded: (p: OfSplit & { readonly number: number }) =>
    `The ${splitEn(p)} of ${p.name} on ${p.date} is recorded already, as #${p.number}.`,
  splitFollowed: (p: Resized) =>
    `⚠️ A ${splitEn(p)} of ${p.name} followed on ${p.date} and is not recorded: ${p.before} became ${p.after}.`,
  fraction: (p: { readonly fraction: string }) =>
    `The fraction of ${p.fraction} is usually paid out: record that as cash in lieu.`,
  moreSplits: (p: Counted & Commanded) =>
    `${counted(p.count, 'more split is', 'more splits are')} not recorded: \`${p.command}\``,
  dividendsMissing: (p: Counted & Commanded & { readonly since: string }) =>
    `${p.count === 1 ? `A dividend of ${p.since} is` : `${p.count} dividends since ${p.since} are`} not recorded: \`${p.command}\``,
  checksOpen: (p: Counted & Commanded) =>
    `${counted(p.count, 'event')} to check yourself (spin-off, merger or the like): \`${p.command}\``,
  recordSplit: (p: Omit<OfSplit, 'date'>) => `Record ${splitEn(p)} of ${p.name}`,
  recordDividend: (p: Dividend) => `Record ${p.amount} dividend of ${p.name} before tax (${p.day})`,
  recordTaxedDividend: (p: Dividend & { readonly tax: string }) =>
    `Record ${p.amount} less ${p.tax} tax: dividend of ${p.name} (${p.day})`,
  recordAllDividends: (p: Counted) => `Record all ${counted(p.count, 'dividend')}`,
  dividendsRecorded: (p: Counted & { readonly name: string }) =>
    `✅ Recorded ${counted(p.count, 'dividend')} in **${p.name}**:`,
  taxedSum: (p: { readonly gross: string; readonly tax: string; readonly net: string }) =>
    `${p.gross} before tax − ${p.tax} = ${p.net} after tax`,
  untaxedSum: (p: { readonly gross: string }) => `${p.gross} before tax, no tax`,
  countryTax: (p: CountryTax) =>
    `${p.country}, ${p.count}: ${usualEn(p)} · ${p.sums}${p.atHome === undefined ? '' : ` (a Korean broker takes ${p.atHome}% in all)`}`,
  askTax: (p: Counted) =>
    `What tax was withheld from ${p.count === 1 ? 'this dividend' : `these ${p.count} dividends`}?`,
  datedByExDay: 'Dated by the ex-dividend day. One of December may be paid, and taxed, in the next year.',
  datedByPayment: (p: Counted) =>
    `${counted(p.count, 'year-end dividend')} dated by the last usual day of payment in the next year.`,
  exDayNote: (p: { readonly date: string }) => `ex-day ${p.date}, day of payment estimated`,
  recordTaxed: 'Usual tax',
  recordAtHome: 'Korean broker',
  recordUntaxed: 'No tax',
  taxedWords: { usual: 'after-tax', 'korean-broker': 'korean-broker', none: 'before-tax' },
  countries: {
    US: 'United States',
    KR: 'Korea',
    JP: 'Japan',
    GB: 'United Kingdom',
    HK: 'Hong Kong',
    CN: 'China',
    CA: 'Canada',
    DE: 'Germany',
    NL: 'Netherlands',
    other: 'Other countries',
  },
  nothingToRecord: () =>
    'There is no dividend left to record. `/portfolio actions` shows what the data source reports.',
  typed: (p: { readonly commands: string }) => `To record it: ${p.commands}`,
  show: 'Splits and dividends',
  dismissAll: 'Dismiss all but splits',
  dismissSplit: (p: Omit<OfSplit, 'date'>) => `Dismiss ${splitEn(p)} of ${p.name}`,
  confirmDismiss: (p: Resized) =>
    `Dismiss the ${splitEn(p)} of ${p.name} on ${p.date}? Every figure will then count with ${p.before} instead of ${p.after}, so its value and gain may be far off. Dismiss it only if your entries already count it.`,
  title: (p: { readonly name: string }) => `**Splits and dividends of your holdings in ${p.name}**`,
  none: (p: { readonly name: string }) =>
    `No splits or dividends are known for your holdings in ${p.name} while you held them.`,
  split: (p: Resized) => `${p.date} · ${p.name} · ${splitEn(p)} (${p.before} → ${p.after})`,
  dividend: (p: {
    readonly name: string;
    readonly date: string;
    readonly each: string;
    readonly held: string;
    readonly amount: string;
  }) => `${p.date} · ${p.name} · dividend ${p.each} × ${p.held} = ${p.amount}`,
  gap: (p: {
    readonly name: string;
    readonly date: string;
    readonly close: string;
    readonly open: string;
    readonly change: string;
  }) => `${p.date} · ${p.name} · opened at ${p.open} after a close of ${p.close} (${p.change})`,
  status: {
    recorded: 'recorded ✅',
    'other-ratio': '⚠️ recorded with another ratio: compare with your broker',
    twice: '⚠️ recorded, but your entries already count it',
    closed: '⚠️ not recorded, and a later sale sold everything without it',
    counted: 'your entries already count it ✅',
    missing: '**not recorded**',
    mixed: '⚠️ not recorded, but some entries already count it',
    early: 'probably not paid yet',
    check:
      '⚠️ check yourself: look in your broker’s statement of that day for a spin-off, merger, rights issue or capital reduction',
    dismissed: 'dismissed',
  },
  older: (p: Counted) => `… and ${counted(p.count, 'older one')}.`,
  dividendHint: (p: { readonly command: string | undefined }) =>
    `Dividends are before tax and dated by the ex-dividend day.${p.command === undefined ? '' : ` With the tax withheld, for example: \`${p.command}\`.`} Put the day of payment in place of the date if you know it.`,
  dismissHint: () =>
    'To hide some: `/portfolio actions dismiss AAPL`, `/portfolio actions dismiss AAPL 2020-08-31` or, for all but splits, `/portfolio actions dismiss all`.',
  unknown: (p: { readonly names: string }) =>
    `Splits and dividends could not be looked up: ${p.names}. Try again later.`,
  old: (p: { readonly names: string }) =>
    `⚠️ Last looked up on an earlier day, as the source does not answer: ${p.names}. Later splits and dividends may be missing; try again later.`,
  afterSplit: (p: {
    readonly name: string;
    readonly price: string;
    readonly splits: string;
    readonly once: string;
  }) =>
    `The price ${p.price} is for shares after a later split of ${p.name}: ${p.splits}. One share cost about ${p.once} that day. Is your quantity in shares after the split, too?`,
  recordThen: (p: { readonly quantity: string; readonly price: string }) =>
    `Before the split: ${counted(p.quantity, 'share')} at ${p.price}`,
  source: (p: { readonly sources: string }) => `Source: ${p.sources}`,
  dismissed: (p: Counted) => `Dismissed ${counted(p.count, 'entry', 'entries')}.`,
  splitsKept: (p: { readonly splits: string; readonly command: string }) =>
    `Splits stay, as all values depend on them: ${p.splits}. One can be dismissed by itself: \`${p.command}\``,
  restored: (p: Counted & { readonly isListed: boolean }) =>
    `Brought back ${counted(p.count, 'dismissed entry', 'dismissed entries')}${p.isListed ? ':' : '.'}`,
  restoreHint: (p: Commanded) => `To bring dismissed ones back: \`${p.command}\``,
  nothingToRestore: (p: Typed) => `Nothing is dismissed${p.typed === undefined ? '' : ` for "${p.typed}"`}.`,
  nothingToDismiss: (p: Typed) =>
    p.typed === undefined
      ? 'There is nothing open.'
      : `There is nothing open for "${p.typed}". \`/portfolio actions\` lists what is.`,
};

const portfolioActionsKo: typeof portfolioActionsEn = {
  splitMissing: (p) =>
    `⚠️ ${p.name}: ${p.date} ${splitKo(p)}이 기록에 없어요. ⚠️ 표시된 값은 ${kindKo(p)}을 반영했어요(${p.before} → ${p.after}).`,
  splitUnsure: (p) =>
    `⚠️ ${p.name}: ${p.date} ${splitKo(p)}이 기록에 없어요. 기록하거나 숨기면 평가액을 보여 드려요.`,
  splitCounted: (p) =>
    `⚠️ ${p.name}: ${p.date} ${splitKo(p)}(${p.before} → ${p.after})이 기록에 없어 반영해서 계산했어요.`,
  splitDismissed: (p) =>
    `⚠️ ${p.name}: ${p.date} ${splitKo(p)}은 숨김이라 반영하지 않았어요. 되돌리려면: \`${p.command}\``,
  splitsUnchecked: (p) =>
    `⚠️ ${p.since} 이후 분할·병합을 확인하지 못했어요. 수량을 확인해 주세요: ${p.names}`,
  priceDoubted: (p) =>
    `⚠️ 확인 필요 · ${p.name}: 분할·병합 때처럼 가격이 크게 달라졌어요. 확인될 때까지 평가액을 보여 드리지 않아요. 분할·병합이 아니라면: \`${p.command}\``,
  restoreWord: '복원',
  recordWord: '기록',
  allWord: '전체',
  dismissWord: '숨기기',
  splitName: splitKo,
  splitMixed: (p) =>
    `⚠️ ${p.name}: ${p.date} ${splitKo(p)}이 기록되어 있지 않지만 ${p.entries} 기록은 이미 그 후의 수량이에요.${allowedKo[p.figures]} ${p.entries} 기록을 취소하고 당시 수량으로 다시 적은 뒤 ${kindKo(p)}을 기록해 주세요.`,
  splitClosed: (p) =>
    `⚠️ ${p.name}: ${p.date} ${splitKo(p)}이 기록되지 않은 채 그 뒤의 #${p.number} 매도가 모두 판 것으로 계산되어 손익이 맞지 않아요. \`${p.undo}\` 명령으로 취소하고 \`${p.command}\` 명령으로 기록한 뒤 매도를 다시 적어 주세요.`,
  splitTwice: (p) =>
    `⚠️ ${p.name}: ${p.date} ${splitKo(p)}이 두 번 반영됐어요. ${p.entries} 기록이 이미 그 후의 수량인데 #${p.number}에도 기록되어 있어요. \`${p.undo}\` 명령으로 #${p.number} 기록을 취소해 주세요.`,
  splitOtherRatio: (p) =>
    `⚠️ ${p.name}: #${p.number}번은 ${p.own}인데 시세 제공처에는 ${p.date} ${splitKo(p)}이 나와요. 제공처가 맞다면 \`${p.undo}\` 명령으로 취소하고 다시 기록해 주세요.`,
  undoSplit: (p) => `#${p.number} 취소 (${p.name})`,
  countedWithSplit: (p) => `${p.position} (분할·병합 반영)`,
  splitBefore: (p) => `${p.name} ${p.date} ${splitKo(p)}이 아직 기록에 없어요(${p.before} → ${p.after}).`,
  splitBeforeMixed: (p) =>
    `${p.name} ${p.date} ${splitKo(p)}이 아직 기록되어 있지 않지만 ${p.entries} 기록은 이미 그 후의 수량이에요. ${p.entries} 기록을 취소하고 당시 수량으로 다시 적은 뒤 ${kindKo(p)}을 기록해 주세요.`,
  splitFirst: (p) => `먼저 ${p.commands} 명령으로 기록한 다음 \`${p.trade}\` 명령을 보내 주세요.`,
  splitMissingHint: (p) =>
    `${p.date} ${splitKo(p)}이 아직 기록에 없어요(${p.before} → ${p.after}). 먼저 기록해 주세요: \`${p.command}\``,
  splitUnlike: (p) =>
    `시세 제공처에 따르면 ${p.name}의 ${p.date} 비율은 ${p.own}이 아니라 ${splitKo(p)}이에요.`,
  splitAlready: (p) =>
    `${p.name} ${p.entries} 기록은 이미 ${p.date} ${splitKo(p)} 후의 수량이에요. 기록하면 두 번 반영돼요.`,
  splitRecorded: (p) => `${p.name} ${p.date} ${splitKo(p)}은 이미 #${p.number}번으로 기록되어 있어요.`,
  splitFollowed: (p) =>
    `⚠️ ${topic(p.name)} ${p.date}에 ${p.ratio}로 ${kindKo(p)}됐어요. 아직 기록에 없어요: ${p.before} → ${p.after}.`,
  fraction: (p) => `단주 ${p.fraction}는 보통 현금으로 지급돼요. 받은 금액은 단주 대금으로 기록해 주세요.`,
  moreSplits: (p) => `기록되지 않은 분할·병합이 ${p.count}건 더 있어요: \`${p.command}\``,
  dividendsMissing: (p) =>
    p.count === 1
      ? `${p.since} 배당이 아직 기록에 없어요: \`${p.command}\``
      : `${p.since} 이후 배당 ${p.count}건이 아직 기록에 없어요: \`${p.command}\``,
  checksOpen: (p) => `직접 확인이 필요한 변동이 ${p.count}건 있어요(인적분할, 합병 등): \`${p.command}\``,
  recordSplit: (p) => `${p.name} ${splitKo(p)} 기록`,
  recordDividend: (p) => `${p.name} 배당 ${p.amount} 세전으로 기록 (${p.day})`,
  recordTaxedDividend: (p) => `${p.name} 배당 ${p.amount}, 세금 ${p.tax} 떼고 기록 (${p.day})`,
  recordAllDividends: (p) => `배당 ${p.count}건 모두 기록`,
  dividendsRecorded: (p) => `✅ **${p.name}** 포트폴리오에 배당 ${p.count}건을 기록했어요:`,
  taxedSum: (p) => `세전 ${p.gross} − 세금 ${p.tax} = 세후 ${p.net}`,
  untaxedSum: (p) => `세전 ${p.gross}, 세금 없음`,
  countryTax: (p) =>
    `${p.country} ${p.count}건: ${usualKo(p)} · ${p.sums}${p.atHome === undefined ? '' : ` (국내 증권사라면 모두 ${p.atHome}%)`}`,
  askTax: (p) => `배당 ${p.count}건에서 세금을 얼마나 떼었나요?`,
  datedByExDay: '날짜는 배당락일이에요. 12월 배당은 다음 해 소득일 수 있어요.',
  datedByPayment: (p) => `연말 배당 ${p.count}건은 다음 해의 늦은 지급일로 적어요.`,
  exDayNote: (p) => `배당락일 ${p.date}, 지급일 추정`,
  recordTaxed: '통상 세율로 기록',
  recordAtHome: '국내 증권사 기준',
  recordUntaxed: '세금 없이 기록',
  taxedWords: { usual: '세후', 'korean-broker': '국내증권사', none: '세전' },
  countries: {
    US: '미국',
    KR: '한국',
    JP: '일본',
    GB: '영국',
    HK: '홍콩',
    CN: '중국',
    CA: '캐나다',
    DE: '독일',
    NL: '네덜란드',
    other: '그 밖의 나라',
  },
  nothingToRecord: () => '기록할 배당이 없어요. `/portfolio 배당확인`에서 확인해 주세요.',
  typed: (p) => `기록하려면: ${p.commands}`,
  show: '분할·배당 확인',
  dismissAll: '분할·병합 외 모두 숨기기',
  dismissSplit: (p) => `${p.name} ${splitKo(p)} 숨기기`,
  confirmDismiss: (p) =>
    `${p.name} ${p.date} ${splitKo(p)}을 숨길까요? 수량을 ${p.after}가 아닌 ${p.before}로 계산해요. 이미 ${kindKo(p)} 후 수량으로 기록했을 때만 숨겨 주세요.`,
  title: (p) => `**${p.name} 보유 종목의 분할·병합과 배당**`,
  none: (p) => `${p.name} 보유 종목에는 보유 기간 중 알려진 분할·병합이나 배당이 없어요.`,
  split: (p) => `${p.date} · ${p.name} · ${splitKo(p)} (${p.before} → ${p.after})`,
  dividend: (p) => `${p.date} · ${p.name} · 배당 ${p.each} × ${p.held} = ${p.amount}`,
  gap: (p) => `${p.date} · ${p.name} · 전일 종가 ${p.close}, 시가 ${p.open} (${p.change})`,
  status: {
    recorded: '기록됨 ✅',
    'other-ratio': '⚠️ 다른 비율로 기록됨: 증권사 내역과 비교해 주세요',
    twice: '⚠️ 기록됐지만 이미 반영된 수량으로 적혀 있음',
    closed: '⚠️ 기록되지 않은 채 이후 모두 매도한 것으로 계산됨',
    counted: '이미 반영된 수량으로 기록됨 ✅',
    missing: '**기록되지 않음**',
    mixed: '⚠️ 기록되지 않음, 일부 기록은 이미 반영된 수량',
    early: '아직 지급 전일 수 있음',
    check: '⚠️ 직접 확인: 증권사의 그날 내역에서 인적분할, 합병, 유상증자, 감자 여부를 봐 주세요',
    dismissed: '숨김',
  },
  older: (p) => `… 그 전의 ${p.count}건이 더 있어요.`,
  dividendHint: (p) =>
    `배당은 세전, 날짜는 배당락일이에요.${p.command === undefined ? '' : ` 원천징수 세금까지 적으려면 예: \`${p.command}\`.`} 지급일을 알면 그 날짜로 적어 주세요.`,
  dismissHint: () =>
    '숨기려면: `/portfolio 배당확인 숨기기 AAPL`, `/portfolio 배당확인 숨기기 AAPL 2020-08-31`, 분할·병합 외 모두는 `/portfolio 배당확인 숨기기 전체`',
  unknown: (p) => `분할·배당을 조회하지 못했어요: ${p.names}. 잠시 후 다시 확인해 주세요.`,
  old: (p) =>
    `⚠️ 지금은 조회하지 못해 지난번 내용이에요: ${p.names}. 그 뒤의 분할·병합과 배당은 빠져 있을 수 있어요.`,
  afterSplit: (p) =>
    `적은 단가(${p.price})는 ${p.name} 종목의 이후 분할·병합을 반영한 가격이에요: ${p.splits}. 그날 실제 가격은 ${p.once} 정도였어요. 수량도 그 후의 수량인가요?`,
  recordThen: (p) => `당시 기준: ${p.quantity} × ${p.price}`,
  source: (p) => `출처: ${p.sources}`,
  dismissed: (p) => `${p.count}건을 숨겼어요.`,
  splitsKept: (p) => `분할·병합은 숨기지 않았어요: ${p.splits}. 하나씩 숨기려면: \`${p.command}\``,
  restored: (p) => `숨긴 ${p.count}건을 되돌렸어요${p.isListed ? ':' : '.'}`,
  restoreHint: (p) => `숨긴 항목을 되돌리려면: \`${p.command}\``,
  nothingToRestore: (p) => `${p.typed === undefined ? '' : `"${p.typed}"에 해당하는 `}숨긴 항목이 없어요.`,
  nothingToDismiss: (p) =>
    p.typed === undefined
      ? '기록되지 않은 항목이 없어요.'
      : `"${p.typed}"에 해당하는 미기록 항목이 없어요. \`/portfolio 배당확인\` 명령으로 목록을 볼 수 있어요.`,
};

export const corporateActionTexts = localized({ en: portfolioActionsEn, ko: portfolioActionsKo });
