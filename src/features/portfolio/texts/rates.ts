interface Entries {
  /** Numbers and days of the entries. */
  readonly entries: string;
}

/** The pair of a rate, as markets quote it. */
interface Quoted {
  /** `1 USD`, or `100 JPY`, as Koreans quote yen. */
  readonly one: string;
  readonly price: string;
  readonly isWonForDollar: boolean;
}

interface InBase extends Entries {
  readonly currency: string;
}

/** Messages about missing exchange rates and sample data. */
export const portfolioRatesEn = {
  filled: (p: Entries) => `Exchange rates that were missing are filled in now: ${p.entries}`,
  waits: (p: InBase) =>
    `⚠️ No exchange rate yet, so left out of the ${p.currency} figures: ${p.entries}. I fill it in later.`,
  provisional: (p: InBase) =>
    `Exchange rates of a day that is not over are provisional until its close, and figures in ${p.currency} change with them: ${p.entries}`,
  none: (p: InBase & Quoted) =>
    `⚠️ The data has no exchange rate for ${p.entries}: figures in ${p.currency} leave out what depends on it. To count it, undo the entry and record it again with \`rate\` and what ${p.one} cost in ${p.price} that day${p.isWonForDollar ? ', for example `rate 1180`' : ''}.`,
  sample: (p: InBase) => `⚠️ SAMPLE exchange rates: ${p.entries}`,
  more: (p: { readonly count: number }) => `and ${p.count} more`,
  /** Follows a rate that replaces the current one. */
  lastClose: (p: { readonly date: string }) => `at the close of ${p.date}`,
  stale: '⚠️ old rate',
  lookedUpLater: 'filled in later',
  untilClose: 'provisional until the close of that day',
  /** Instead of a rate. */
  pending: 'exchange rate to be filled in',
  noData: 'no exchange rate known',
  samplePriceRefused: (p: { readonly name: string }) =>
    `At what price? My price of ${p.name} is only a sample. For example \`AAPL 10 190.5\``,
};

export const portfolioRatesKo: typeof portfolioRatesEn = {
  filled: (p) => `빠져 있던 환율을 채웠어요: ${p.entries}`,
  waits: (p) =>
    `⚠️ 아직 환율을 몰라 ${p.currency} 금액에서 뺐어요: ${p.entries}. 환율이 들어오면 자동으로 채워요.`,
  provisional: (p) => `그날 종가까지는 잠정 환율이라 ${p.currency} 금액이 바뀔 수 있어요: ${p.entries}`,
  none: (p) =>
    `⚠️ 환율 자료가 없어 ${p.currency} 금액에서 뺐어요: ${p.entries}. 넣으려면 기록을 취소하고 그날 ${p.one}의 ${p.price} 환율을 ${p.isWonForDollar ? '`환율 1180`처럼' : '`환율` 뒤에'} 적어 다시 기록해 주세요.`,
  sample: (p) => `⚠️ 샘플(SAMPLE) 환율로 계산했어요: ${p.entries}`,
  more: (p) => `외 ${p.count}건`,
  lastClose: (p) => `${p.date} 종가로 환산`,
  stale: '⚠️ 오래된 환율',
  lookedUpLater: '나중에 채움',
  untilClose: '그날 종가까지 잠정',
  pending: '환율은 나중에 채워요',
  noData: '환율 자료 없음',
  samplePriceRefused: (p) =>
    `얼마에 거래하셨나요? ${p.name} 시세는 샘플이라 쓰지 않아요. 예: \`AAPL 10 190.5\``,
};
