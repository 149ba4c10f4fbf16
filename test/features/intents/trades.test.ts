import { describe, expect, it } from 'vitest';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { createFinanceTools } from '#src/features/open/tools.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { quietServices } from '#test/support/quiet-services.ts';

const symbols = createSymbolSearch();
const readSentence = createReadSentence(symbols);
/** A Monday. */
const today = Temporal.PlainDate.from('2026-11-16');
/** Nothing is run: only the inputs are checked. */
const tools = createFinanceTools({
  ...quietServices,
  markets: {} as MarketQueries,
  symbols,
  clock: new ManualClock(),
});
const recording = tools.find(({ definition }) => definition.name === 'record_transaction');

/** What stands before a field in the line of an entry. */
const LEADS: Readonly<Record<string, string>> = {
  price: '@',
  total: '=',
  toAmount: '> ',
  rate: 'rate ',
  fee: 'fee ',
  tax: 'tax ',
  time: 'at ',
  percent: 'of cost ',
  portfolio: 'from ',
  toPortfolio: 'to ',
};
const ORDER =
  'kind symbol quantity toName toQuantity percent price total amount currency portfolio toPortfolio toAmount toCurrency rate fee tax date time'.split(
    ' ',
  );

/** One line for each entry: kind, what, numbers, and the day where it is not today. */
const entryText = (input: Readonly<Record<string, unknown>>): string =>
  ORDER.flatMap((field) => {
    const value = input[field];
    return typeof value === 'string' && value !== today.toString() ? [`${LEADS[field] ?? ''}${value}`] : [];
  }).join(' ');

/** The entries that a line asks to record, or what is said in their place. */
const read = async (text: string): Promise<string> => {
  const sentence = { text, locale: 'ko', today, calls: [] } as const;
  const { calls, talk, missed } = await readSentence(sentence, new AbortController().signal);
  for (const { tool, input } of calls)
    if (tool === 'record_transaction') expect(recording?.problemWith(input), text).toBeUndefined();
  const said = calls.map(({ tool, input }) => (tool === 'record_transaction' ? entryText(input) : tool));
  return said.length > 0 ? said.join('; ') : `${talk}${talk === 'number' ? ` ${missed}` : ''}`;
};

/** `line → reading`, one a line. */
const tableOf = (text: string): readonly (readonly [line: string, reading: string])[] =>
  text
    .trim()
    .split('\n')
    .map((row) => {
      const [line = '', reading = ''] = row.split('→').map((cell) => cell.trim());
      return [line, reading];
    });

const readings = async (rows: ReturnType<typeof tableOf>): Promise<typeof rows> =>
  Promise.all(rows.map(async ([line]) => [line, await read(line)] as const));

const TABLES: Readonly<Record<string, string>> = {
  'no word that says when a trade was is dropped': `
    Yesterday I bought 3 AAPL at $200 → buy AAPL 3 @200 USD 2026-11-15
    yesterday bought 3 AAPL at $200 → buy AAPL 3 @200 USD 2026-11-15
    record that yesterday I bought 3 AAPL at $200 → buy AAPL 3 @200 USD 2026-11-15
    Yesterday, I sold 3 AAPL at $200 → sell AAPL 3 @200 USD 2026-11-15
    Last Friday I bought 3 AAPL at $270 → buy AAPL 3 @270 USD 2026-11-13
    On Nov 3 I bought 3 AAPL at $270 → buy AAPL 3 @270 USD 2026-11-03
    On Friday, I bought 3 AAPL at $270 → buy AAPL 3 @270 USD 2026-11-13
    A week ago I bought 3 AAPL at $270 → buy AAPL 3 @270 USD 2026-11-09
    2026-11-02 bought 3 AAPL at $270 → buy AAPL 3 @270 USD 2026-11-02
    Yesterday we deposited $500 → deposit 500 USD 2026-11-15
    Last Friday I received a $10 dividend from Tesla → dividend Tesla 10 USD 2026-11-13
    today I bought 3 AAPL at $200 → buy AAPL 3 @200 USD
    This morning I bought 3 AAPL at $270 → buy AAPL 3 @270 USD
    Earlier today I bought 3 AAPL at $270 → buy AAPL 3 @270 USD
    yesterday morning I bought 3 AAPL at $270 → buy AAPL 3 @270 USD 2026-11-15
    I bought 3 AAPL at $270 last night → buy AAPL 3 @270 USD 2026-11-15
    오늘 새벽에 애플 3주 270달러에 샀어 → buy 애플 3 @270 USD
    어제 저녁에 애플 3주 270달러에 샀어 → buy 애플 3 @270 USD 2026-11-15
    어제 새벽 2시에 애플 3주 270달러에 샀어 → buy 애플 3 @270 USD 2026-11-15 at 02:00
    방금 애플 3주 270달러에 샀어 → buy 애플 3 @270 USD
    I recently bought 3 AAPL at $270 → which-day
    the other day I bought 3 AAPL at $270 → which-day
    Last week I bought 3 AAPL at $270 → which-day
    I bought 3 AAPL at $270 about a week ago → which-day
    최근에 애플 3주 270달러에 샀어 → which-day
    얼마 전 애플 3주 270달러에 샀어 → which-day
    며칠 전에 애플 3주 270달러에 샀어 → which-day
    지난주에 애플 3주 270달러에 샀어 → which-day
    사흘 전쯤 애플 3주 270달러에 샀어 → which-day`,
  'one day at the beginning or the end of a message is the day of all its trades': `
    I bought 3 AAPL at $200 and sold 1 MSFT at $400 yesterday → buy AAPL 3 @200 USD 2026-11-15; sell MSFT 1 @400 USD 2026-11-15
    Yesterday I bought 3 AAPL at $200 and sold 1 MSFT at $400 → buy AAPL 3 @200 USD 2026-11-15; sell MSFT 1 @400 USD 2026-11-15
    yesterday bought 3 AAPL at $200 and 1 MSFT at $400 → buy AAPL 3 @200 USD 2026-11-15; buy MSFT 1 @400 USD 2026-11-15
    bought 3 AAPL at $200 yesterday, sold 1 MSFT at $400 today → buy AAPL 3 @200 USD 2026-11-15; sell MSFT 1 @400 USD
    Yesterday I bought 3 AAPL at $200. Sold 1 MSFT at $400 → buy AAPL 3 @200 USD 2026-11-15; sell MSFT 1 @400 USD 2026-11-15
    어제 애플 3주 200달러에 사고 마소 2주 400달러에 샀어 → buy 애플 3 @200 USD 2026-11-15; buy 마소 2 @400 USD 2026-11-15
    어제 애플 3주 200달러에 팔고 마소 2주 400달러에 샀어 → sell 애플 3 @200 USD 2026-11-15; buy 마소 2 @400 USD 2026-11-15
    어제 애플 3주 200달러에 샀고 마소 2주 400달러에 팔았어 → buy 애플 3 @200 USD 2026-11-15; sell 마소 2 @400 USD 2026-11-15
    어제 AAPL 10주 180달러, TSLA 5주 300달러에 샀어 → buy AAPL 10 @180 USD 2026-11-15; buy TSLA 5 @300 USD 2026-11-15
    I bought 3 AAPL at $200 yesterday and sold 1 MSFT at $400 → which-day
    애플 3주 200달러에 샀고 어제 마소 2주 400달러에 팔았어 → which-day
    Bought 3 AAPL at $200. Sold 1 MSFT at $400 yesterday → which-day`,
  'money is exchanged in the direction that was said, and asked about where none was': `
    1450원에 1000달러 환전했어 → which-way
    1000달러 환전했어 1470원에 → which-way
    1000달러를 145만원에 환전했어 → which-way
    1000달러를 1450원에 샀어 → fx 1450000 KRW > 1000 USD
    1450원에 1000달러 샀어 → fx 1450000 KRW > 1000 USD
    1000달러 145만원에 샀어 → fx 1450000 KRW > 1000 USD
    145만원으로 1000달러 샀어 → fx 1450000 KRW > 1000 USD
    1000달러로 환전했어 1450원에 → fx 1450000 KRW > 1000 USD
    145만원으로 1000달러 환전했어 → fx 1450000 KRW > 1000 USD
    145만원 환전해서 1000달러 받았어 → fx 1450000 KRW > 1000 USD
    어제 145만원을 환전해서 1000달러를 받았어요 → fx 1450000 KRW > 1000 USD 2026-11-15
    100만원을 730달러로 환전했어 → fx 1000000 KRW > 730 USD
    100만원을 730달러로 바꿨어 → fx 1000000 KRW > 730 USD
    100만원 환전했어 1450원에 → fx 1000000 KRW rate 1450원
    10만엔을 950원에 샀어 → fx 950000 KRW > 100000 JPY
    1000달러를 1450원에 팔았어 → fx 1000 USD rate 1450원
    1000달러 145만원에 팔았어 → fx 1000 USD > 1450000 KRW
    1000달러를 145만원으로 환전했어 → fx 1000 USD > 1450000 KRW
    1000달러 원화로 환전했어 1450원에 → fx 1000 USD KRW rate 1450원
    I bought 1000 dollars at 1450 won → fx 1450000 KRW > 1000 USD
    sold 1000 dollars at 1450 won yesterday → fx 1000 USD rate 1450 won 2026-11-15
    converted 1000 dollars at 1470 won → fx 1000 USD rate 1470 won`,
  'fees, taxes, new shares and fractions are read as they are told': `
    삼성전자 10주 10만원 매수, 수수료 150원 → buy 삼성전자 10 @100000 KRW fee 150
    bought 3 AAPL at $270, fee 1500원 → buy AAPL 3 @270 USD fee 1500 KRW
    하닉 3주 60만원에 매도, 세금 3600원 → sell 하닉 3 @600000 KRW tax 3600
    삼성전자 10주 10만원 매수, 하닉 3주 60만원 매도 → buy 삼성전자 10 @100000 KRW; sell 하닉 3 @600000 KRW
    유상증자로 삼성전자 10주 5만원에 받았어 → rights 삼성전자 10 @50000 KRW
    무상증자로 삼성전자 10주 받았어 → rights 삼성전자 10 @0
    어제 무상증자로 삼성전자 10주 들어왔어 → rights 삼성전자 10 @0 2026-11-15
    received 10 shares of AAPL from a bonus issue → rights AAPL 10 @0
    애플 단주 0.5주 75달러 받았어 → cash-in-lieu 애플 0.5 75 USD
    애플 단주 대금 75달러 들어왔어 → cash-in-lieu 애플 75 USD
    received $75 cash in lieu of 0.5 shares of AAPL → cash-in-lieu AAPL 0.5 75 USD
    withholding tax of $1.88 on AAPL → tax AAPL 1.88 USD
    애플 원천징수세 1.88달러 냈어 → tax 애플 1.88 USD
    bought 1/3 share of NVDA at $180 → buy NVDA 0.33333333 @180 USD
    bought 1/2 share of NVDA at $180 → buy NVDA 0.5 @180 USD
    엔비디아 1/3주 180달러에 샀어 → buy 엔비디아 0.33333333 @180 USD
    삼성전자 10주 7만원에 샀어 (수수료 150원) → buy 삼성전자 10 @70000 KRW fee 150
    I bought 10 AAPL at $290 (fee 1) → buy AAPL 10 @290 USD fee 1
    bought AAPL 10 × $290 → buy AAPL 10 @290 USD
    삼성전자 10주 7만원에 샀어 수수료 없음 → buy 삼성전자 10 @70000 KRW fee 0
    삼성전자 10주 7만원에 수수료 없이 샀어 → buy 삼성전자 10 @70000 KRW fee 0
    I bought 10 AAPL at 290 with a $1 fee → buy AAPL 10 @290 fee 1 USD
    I bought 10 AAPL at $290 with no fees → buy AAPL 10 @290 USD fee 0
    I bought 10 AAPL at $290 on Nov 12 at 3pm → buy AAPL 10 @290 USD 2026-11-12 at 15:00
    I bought 3 AAPL at $270 last night at 11:40 → buy AAPL 3 @270 USD 2026-11-15 at 23:40
    어젯밤 11시 40분에 애플 3주 270달러에 샀어 → buy 애플 3 @270 USD 2026-11-15 at 23:40`,
  'shares that become others, capital that comes back and moves between own portfolios are read with both sides': `
    GE에서 GEV 25주 인적분할로 받았어 원가 19.8% → spin-off GE GEV 25 of cost 19.8
    GEV 25주를 GE에서 인적분할로 받았어, 원가의 19.8% → spin-off GE GEV 25 of cost 19.8
    SK텔레콤 39주가 SK스퀘어 39주로 인적분할됐어 39.26% 어제 → spin-off SK텔레콤 39 SK스퀘어 39 of cost 39.26 2026-11-15
    GE spun off GEV and I got 25 shares, 19.8% of the cost → spin-off GE GEV 25 of cost 19.8
    received 25 shares of GE Vernova from the GE spin-off on April 2 → spin-off GE GE Vernova 25 2026-04-02
    VMW 10주가 합병돼서 AVGO 3주 받았어 → merger VMW 10 AVGO 3
    VMware 10주가 브로드컴 3주로 합병됐어 → merger VMware 10 브로드컴 3
    my 10 VMW became 3 AVGO in the merger → merger VMW 10 AVGO 3
    I received 3 AVGO for 10 VMW in the merger → merger VMW 10 AVGO 3
    VMW merged into AVGO: 10 shares became 3 shares plus $700 cash, price $900 → merger VMW 10 AVGO 3 @900 700 USD
    KMI 자본환급 30달러 받았어 → capital-return KMI 30 USD
    삼성전자 유상감자로 2주에 5만원 받았어 → capital-return 삼성전자 2 50000 KRW
    I got $30 return of capital on KMI yesterday → capital-return KMI 30 USD 2026-11-15
    삼성전자 10주를 기본에서 연금 계좌로 이체했어 → transfer-out 삼성전자 10 from 기본 to 연금
    애플 절반을 기본에서 연금으로 옮겼어 → transfer-out 애플 half from 기본 to 연금
    100만원 기본에서 연금으로 이체했어 → transfer-out 1000000 KRW from 기본 to 연금
    moved 5 AAPL from main to pension → transfer-out AAPL 5 from main to pension
    I transferred $100 from main to my pension yesterday → transfer-out 100 USD from main to pension 2026-11-15
    SK텔레콤 인적분할 언제야? → guess
    SK스퀘어 인적분할 뉴스 → get_news
    대한항공이 아시아나 합병했어 → guess
    애플에서 테슬라로 옮겼어 → guess
    moved from Seoul to Busan → unknown
    계좌에 100만원 이체했어 → deposit 1000000 KRW`,
  'a rate or a cost that is told is passed on, never dropped': `
    애플 2주 270달러에 샀어 환율 1300원 → buy 애플 2 @270 USD rate 1300원
    애플 2주 270달러에 샀어 환율은 1300 → buy 애플 2 @270 USD rate 1300
    어제 환율 1,300원에 애플 2주 270달러에 샀어 → buy 애플 2 @270 USD rate 1,300원 2026-11-15
    I bought 2 AAPL at 291, rate 1450 → buy AAPL 2 @291 rate 1450
    I sold 2 AAPL at $291 at a rate of 1450 → sell AAPL 2 @291 USD rate 1450
    500달러 입금했어 환율 1450원 → deposit 500 USD rate 1450원
    deposited $500, exchange rate 1450 → deposit 500 USD rate 1450
    애플 배당금 2.6달러 받았어 환율 1450원 → dividend 애플 2.6 USD rate 1450원
    유상증자로 애플 10주 50달러에 받았어 환율 1450원 → rights 애플 10 @50 USD rate 1450원
    145만원으로 1000달러 샀어 환율 1300원 → fx 1450000 KRW > 1000 USD rate 1300원
    1000달러를 145만원으로 환전했어 환율 1300원 → fx 1000 USD > 1450000 KRW rate 1300원
    1000달러를 1450원에 샀어 수수료 3000원 → fx 1450000 KRW > 1000 USD fee 3000원
    1000달러를 145만원으로 환전했어, 수수료 1달러 → fx 1000 USD > 1450000 KRW fee 1달러
    bought 3 AAPL at $270, fee 0.1% → buy AAPL 3 @270 USD fee 0.1%
    bought 3 AAPL at $270, fee -1 → buy AAPL 3 @270 USD fee -1
    애플 배당금 2.6달러 받았어 수수료 1달러 → dividend 애플 2.6 USD fee 1`,
  'a part of what is held is sold as one, and money spent at a price stays both': `
    sold ½ my AAPL at 295 → sell AAPL half @295
    sold 1/2 of my AAPL at $295 → sell AAPL half @295 USD
    sold ½ share of AAPL at $295 → sell AAPL 0.5 @295 USD
    sold half of my AAPL at $295 → sell AAPL half @295 USD
    sold a third of my TSLA at 260 → sell TSLA 1/3 @260
    I sold 25% of TSLA at $260 → sell TSLA 25% @260 USD
    테슬라 3분의 1을 260달러에 팔았어 → sell 테슬라 1/3 @260 USD
    테슬라 50% 260달러에 매도했어 → sell 테슬라 half @260 USD
    테슬라 반만 260달러에 팔았어 → sell 테슬라 half @260 USD
    테슬라 260달러에 절반만 팔았어 → sell 테슬라 half @260 USD
    테슬라 260달러에 전량매도 → sell 테슬라 all @260 USD
    테슬라 260달러에 전량매도했어 → sell 테슬라 all @260 USD
    bought ½ AAPL at 295 → buy AAPL 0.5 @295
    bought $580 of AAPL at 290 → buy AAPL @290 =580 USD
    bought $500 worth of AAPL at $290 → buy AAPL @290 =500 USD
    애플 580달러어치 290달러에 샀어 → buy 애플 @290 =580 USD
    애플 50만원어치 290달러에 샀어 → how-many
    애플 50만원어치 290에 샀어 → how-many
    bought $500 of AAPL → how-many`,
  'a time is passed on with its zone, to be read or refused whole': `
    I bought 3 AAPL on Friday at $270 at 15:45 ET → buy AAPL 3 @270 USD 2026-11-13 at 15:45 ET
    I bought 3 AAPL at $270 on Friday 15:45 KST → buy AAPL 3 @270 USD 2026-11-13 at 15:45 KST
    I bought 3 AAPL at $270 on Friday at 15:45 → buy AAPL 3 @270 USD 2026-11-13 at 15:45
    뉴욕 시간 15:45에 애플 3주 270달러에 샀어 → buy 애플 3 @270 USD at 뉴욕 시간 15:45에`,
};

describe('a trade that is told', () => {
  it('has no day where none is said: the portfolio knows that of the exchange', async () => {
    const sentence = { text: '방금 애플 3주 270달러에 샀어', locale: 'ko', today, calls: [] } as const;
    const { calls } = await readSentence(sentence, new AbortController().signal);
    expect(calls[0]?.input).not.toHaveProperty('date');
  });

  it.each(Object.entries(TABLES))('%s', async (_title, table) => {
    const rows = tableOf(table);
    expect(await readings(rows)).toEqual(rows);
  });
});
