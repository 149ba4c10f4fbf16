import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { recordAnswer } from '#src/features/portfolio/record/record.ts';
import { missingNumbers } from '#test/support/printed-numbers.ts';
import { openOnFriday as open } from '../service-support.ts';

const { signal } = new AbortController();
const never = () => new Promise<never>(() => undefined);

describe('the checks of an entry before it is recorded, by command and by tool', () => {
  it.each<[what: string, command: string, request: Partial<RecordRequest>, odd: RegExp]>([
    [
      'a Sunday',
      'AAPL 1 290 2026-11-08',
      { price: '290', date: '2026-11-08' },
      /Sun 2026-11-08: weekend, the US market was closed\. Nearest trading days: Fri 2026-11-06, Mon 2026-11-09\./,
    ],
    [
      'a holiday',
      '005930 1 70000 2026-10-09',
      { name: '005930', price: '70000', date: '2026-10-09' },
      /2026-10-09: holiday \(.*\), the Korean market was closed\. Nearest trading days: Thu 2026-10-08, Mon 2026-10-12\./,
    ],
    [
      'outside of the range of its day',
      'AAPL 1 250 2026-11-05',
      { price: '250', date: '2026-11-05' },
      /\$250\.00 is outside that day's trading range, \$280\.00 to \$280\.00 \(2026-11-05 · source: hand\)/,
    ],
    [
      'four times the last price',
      'AAPL 10 @ 1,234.5',
      { price: '1234.5' },
      /\$1,234\.50 is about 4\.1 times the last price, \$300\.00/,
    ],
    [
      'less than half of it',
      'AAPL 10 140',
      { price: '140' },
      /\$140\.00 is only about 47% of the last price, \$300\.00/,
    ],
    [
      'won for a dollar stock',
      'AAPL 10 71000',
      { price: '71000' },
      /71,000 looks like an amount in KRW, but Apple \(AAPL\) trades in USD/,
    ],
    [
      'dollars for a won stock',
      '삼성전자 10 180',
      { name: '삼성전자', price: '180' },
      /180 looks like an amount in USD, but Samsung/,
    ],
  ])('flag %s', async (_what, command, request, odd) => {
    const { say, plan, ledgerOf } = await open();
    const asked = await say(`/portfolio add ${command}`);
    expect(asked.content).toMatch(/^Not recorded yet[^]*Record this\? Bought/);
    expect(asked.content).toMatch(odd);
    expect(missingNumbers(asked)).toEqual([]);
    expect(await plan(request)).toMatch(odd);
    expect(await ledgerOf('mina')).toEqual([]);
    const anyway = asked.choices?.at(-1)?.command ?? '';
    expect((await say(anyway)).content).toContain('Recorded');
  });

  it('pass a usual trade: today, near the range of its day, a coin on a Sunday', async () => {
    const { say, plan } = await open();
    for (const words of [
      'AAPL 1 200',
      'AAPL 1 287 2026-11-05',
      'BTC 0.1 $99,000 2026-11-08',
      'AAPL 1 5 2024-05-07',
    ])
      expect((await say(`/portfolio add ${words}`)).content).toContain('✅ Recorded');
    expect(await plan({ price: '290' })).not.toContain('⚠');
  });

  it('compare a price from before a recorded split in shares of today', async () => {
    const { say, closes } = await open();
    closes.set('AAPL', { '2026-11-10': '75' });
    expect((await say('/portfolio add AAPL 1 300 2026-11-10')).content).toContain('$75.00 to $75.00');
    await say('/portfolio add AAPL 1 300 2026-11-10 --yes');
    await say('/portfolio split AAPL 4:1 2026-11-11');
    expect((await say('/portfolio add AAPL 2 300 2026-11-10')).content).toContain('✅ Recorded');
  });

  it('compare an old price with its day, both unadjusted and adjusted for splits', async () => {
    const { say, ledgerOf, closes, actions, asked } = await open();
    closes.set('NVDA', { '2024-05-20': '95', '2024-05-21': '96' });
    const ratio = new Decimal(10);
    actions.set('NVDA', [{ kind: 'split', date: Temporal.PlainDate.from('2024-06-10'), ratio }]);
    const then = await say('/portfolio add NVDA 10 $950 2024-05-20');
    expect(then.content).toMatch(
      /Recorded[^]*A 10:1 split of .*NVDA.* followed on 2024-06-10[^]*10 became 100/,
    );
    // One request brings the prices of the day and the later splits, another one the splits of the holding.
    expect(asked.filter((each) => each.startsWith('NVDA'))).toHaveLength(2);

    const today = await say('/portfolio add NVDA 40 $96 2024-05-21');
    expect(today.content).toMatch(/\$96\.00 is for shares after .*10:1 split \(Mon 2024-06-10\)/);
    expect(today.content).toContain('One share cost about $960.00');
    expect(today.choices?.map(({ label }) => label)).toEqual([
      'Before the split: 4 shares at $960.00',
      'Record as it is',
    ]);
    await say(today.choices?.[0]?.command ?? '');
    const quantities = (await ledgerOf('mina')).map((entry) => 'quantity' in entry && String(entry.quantity));
    expect(quantities).toEqual(['10', '4']);
    const far = await say('/portfolio add NVDA 10 $2900 2024-05-21');
    expect(far.content).toMatch(/\$960\.00 to \$960\.00 \(.*; in shares before later splits\)/);
    expect(far.choices?.map(({ label }) => label)).toEqual(['Record as it is']);
  });

  it('name all anomalies at once, and offer the trading days around a closed one', async () => {
    const { say, ledgerOf } = await open();
    const asked = await say('/portfolio add AAPL 10 1500 2026-11-08');
    expect(asked.content.match(/⚠️/gu)).toHaveLength(2);
    expect(asked.choices?.map(({ label }) => label)).toEqual([
      '10 at $150.00',
      'Record on Fri 2026-11-06',
      'Record on Mon 2026-11-09',
      'Record as it is',
    ]);
    await say(asked.choices?.[1]?.command ?? '');
    expect((await ledgerOf('mina')).map(({ date }) => date.toString())).toEqual(['2026-11-06']);
  });

  it('show names and notes in the question as text, never as a link', async () => {
    const { say, plan } = await open();
    await say('/portfolio new pension USD');
    const note = 'see [here](https://evil.example)';
    const asked = await plan({ portfolio: 'pension', note });
    const missing = await plan({ portfolio: '[main](https://evil.example)' });
    expect(asked).toContain('in the portfolio pension');
    for (const text of [asked, missing]) expect(text).not.toMatch(/\]\(/u);
    expect(missing).not.toContain('https://');
  });

  it('ask in Korean, with the entry that would be recorded', async () => {
    const { sayKo } = await open();
    const { content, choices, typed } = await sayKo('/portfolio 매수 삼전 10주 71000 2026-11-08');
    expect(content).toBe(
      [
        '아직 기록하지 않았어요:',
        '⚠️ 2026-11-08 (일)에는 한국 증시가 쉬었어요(주말). 가까운 거래일: 2026-11-06 (금), 2026-11-09 (월)',
        '이대로 기록할까요? 매수: 삼성전자 (005930) 10주 × ₩71,000 = ₩710,000 · 2026-11-08',
      ].join('\n'),
    );
    expect(typed).toBe('그대로 기록하려면: `/portfolio add 005930.KS 10 71000 --date=2026-11-08 --yes`');
    expect(choices?.map(({ label }) => label)).toEqual([
      '2026-11-06 (금) 날짜로 기록',
      '2026-11-09 (월) 날짜로 기록',
      '그대로 기록',
    ]);
  });

  it.each<[typed: string, locale: 'ko' | 'en', odd: string, choices: readonly string[]]>([
    [
      'deposit 1억 3천원',
      'en',
      '"1억 3천원" was read as ₩130,000,000; it could also be ₩100,003,000.',
      ['Record at ₩100,003,000', 'Record as it is'],
    ],
    [
      '입금 2억5',
      'ko',
      '"2억5" 금액을 ₩250,000,000 값으로 읽었어요. ₩200,000,005 값일 수도 있어요.',
      ['₩200,000,005 금액으로 기록', '그대로 기록'],
    ],
    [
      'fee 1억 5000',
      'en',
      '"1억 5000" was read as ₩150,000,000; it could also be ₩100,005,000.',
      ['Record at ₩100,005,000', 'Record as it is'],
    ],
    [
      'add TSLA 1 400 05/06/2026',
      'en',
      '"05/06/2026" was read as Wed 2026-05-06; it could also be Fri 2026-06-05.',
      ['Record on Fri 2026-06-05', 'Record as it is'],
    ],
  ])('ask which of two readings is meant: %s', async (typed, locale, odd, labels) => {
    const { say, sayKo, ledgerOf } = await open();
    await sayKo('/portfolio new main KRW');
    const { content, choices } = await (locale === 'en' ? say : sayKo)(`/portfolio ${typed}`);
    expect(content).toContain(odd);
    expect(choices?.map(({ label }) => label)).toEqual(labels);
    expect(await ledgerOf('mina')).toEqual([]);
    for (const { command } of choices ?? []) expect((await say(command)).content).toContain('Recorded');
    const [other, taken] = await ledgerOf('mina');
    expect([other, taken]).not.toContain(undefined);
    expect([other?.date.toString(), String(other && 'amount' in other && other.amount)]).not.toEqual([
      taken?.date.toString(),
      String(taken && 'amount' in taken && taken.amount),
    ]);
  });

  it('do not ask for the reading of a price if only one fits the market', async () => {
    const { say, prices, closes, ledgerOf } = await open();
    prices.set('BTC-KRW', { price: '135000000' });
    closes.set('BTC-KRW', { '2026-11-10': '131000000', '2026-11-11': '100000000' });
    expect((await say('/portfolio add BTC 0.1 1억 3천원 2026-11-10')).content).toContain('Recorded');
    expect(String((await ledgerOf('mina')).map((entry) => ('price' in entry ? entry.price : '')))).toBe(
      '130000000',
    );
    expect((await say('/portfolio add BTC 0.1 1억 3천원 2026-11-11')).content).toContain(
      '"1억 3천원" was read as ₩130,000,000; it could also be ₩100,003,000.',
    );
  });

  it('refuse a month as a date, and a price and a total that differ', async () => {
    const { say } = await open();
    expect((await say('/portfolio add AAPL 1 300 last month')).content).toMatch(/"last month".*one day/);
    expect((await say('/portfolio 매수 삼성전자 10주 71,000원 지난달')).content).toMatch(/"지난달".*one day/);
    const odd = (await say('/portfolio add AAPL 10 at $300 each, $3300 total')).content;
    expect(odd).toMatch(/\$300 each.*\$3300 total/);
    expect((await say('/portfolio add AAPL 10 at $300 each, $3000 total')).content).toContain('Recorded');
  });

  it.each([
    ['2026-02-30', '달력에 없는 날짜예요', 'There is no such day'],
    ['Feb 30', '달력에 없는 날짜예요', 'There is no such day'],
    ['11/31', '달력에 없는 날짜예요', 'There is no such day'],
    ['tomorrow', '아직 오지 않은 날짜예요(2026-11-14)', '2026-11-14 lies in the future'],
    ['2027-01-04', '아직 오지 않은 날짜예요(2027-01-04)', '2027-01-04 lies in the future'],
  ])('refuse %s for its own reason, by command and by tool, in both languages', async (date, ko, en) => {
    const { say, sayKo, plan } = await open();
    expect((await say(`/portfolio add AAPL 1 300 ${date}`)).content).toContain(en);
    expect((await sayKo(`/portfolio 매수 AAPL 1주 300 ${date}`)).content).toContain(ko);
    expect(await plan({ date }, 'ko')).toContain(`refused: ${ko}`);
  });

  it('refuse basis points as a price', async () => {
    const { say } = await open();
    expect((await say('/portfolio add AAPL 1 25bp')).content).toContain('25bp');
    expect((await say('/portfolio add AAPL --quantity=1 --price=25bp')).content).toContain('25bp');
  });

  it('ask about a duplicate from any source, and record it if it is meant', async () => {
    const { say, plan, ledgerOf } = await open();
    await say('/portfolio add AAPL 3 290');
    const again = await say('/portfolio add AAPL 3 $290');
    expect(again.content).toContain('The same is recorded already, as #1.');
    expect(await plan({ quantity: '3', price: '290.00' })).toContain('The same is recorded already, as #1.');
    expect(await plan({ quantity: '4', price: '290' })).not.toContain('already');
    await say('/portfolio deposit 1000 USD');
    expect((await say('/portfolio deposit 1000 USD')).content).toContain(
      'The same is recorded already, as #2.',
    );
    expect((await say(again.choices?.at(-1)?.command ?? '')).content).toContain('#3');
    await say('/portfolio undo 3');
    await say('/portfolio undo 1');
    expect((await say('/portfolio add AAPL 3 290')).content).toContain('Recorded');
    expect((await ledgerOf('mina')).filter(({ isReversed }) => !isReversed)).toHaveLength(2);
  });

  it('name no trading day of a year whose holidays are unknown', async () => {
    const { plan } = await open();
    const samsung = { name: '005930', price: '70000' };
    // KRX was closed on the last day of 2024, too.
    expect(await plan({ ...samsung, date: '2025-01-01' })).toContain('Nearest trading day: Thu 2025-01-02.');
    const old = await plan({ ...samsung, date: '2023-01-01' });
    expect(old).toContain('Sun 2023-01-01: weekend');
    expect(old).not.toContain('trading day');
  });

  it('turn two equal entries at once into one entry and one question', async () => {
    const { say, ledgerOf } = await open();
    await say('/portfolio new main USD');
    const answers = await Promise.all(Array.from({ length: 20 }, () => say('/portfolio add AAPL 3 290')));
    expect(answers.filter(({ content }) => content.includes('✅'))).toHaveLength(1);
    expect(answers.filter(({ content }) => content.includes('recorded already'))).toHaveLength(19);
    expect(await ledgerOf('mina')).toHaveLength(1);
  });

  it('refuse an impossible entry without asking', async () => {
    const { plan, say } = await open();
    expect(await plan({ kind: 'sell', quantity: '3', price: '1200' })).toMatch(
      /^refused: .*you hold no Apple/,
    );
    expect(await plan({ date: '2026-11-14' })).toMatch(/^refused: .*future/);
    expect((await say('/portfolio sell AAPL 3 1200')).content).toContain('you hold no Apple');
    await say('/portfolio add AAPL 2 290 2026-11-10');
    expect(await plan({ kind: 'sell', quantity: '2', date: '2026-11-09' })).toMatch(
      /^refused: .*you hold no Apple/,
    );
    expect(await plan({ kind: 'sell', quantity: '3' })).toMatch(/^refused: .*you hold only 2 of Apple/);
    expect(await plan({ kind: 'sell', quantity: 'all' })).toContain('Record a sale: 2 Apple');
  });

  it('show the approver the entry, its charges, its day and its portfolio', async () => {
    const { plan, say } = await open();
    await say('/portfolio new pension KRW');
    await say('/portfolio add 삼성전자 10 70000 2026-11-10 @pension');
    const sale = {
      kind: 'sell',
      name: '삼전',
      quantity: '10',
      price: '71000',
      fee: '500',
      date: '2026-11-12',
      portfolio: 'pension',
    } as const;
    expect(await plan(sale, 'ko')).toBe(
      [
        '매도 기록: 삼성전자 (005930) 10주 × ₩71,000 = ₩710,000 · 2026-11-12',
        '- 수수료 ₩500',
        '- 세금 ₩1,420',
        '- 포트폴리오 pension',
        '기록만 남겨요(주문 아님).',
      ].join('\n'),
    );
  });

  it("date an entry without a day by the market, even on the person's weekend", async () => {
    const { say, clock, ledgerOf } = await open();
    // Saturday 03:00 in Seoul, Friday 13:00 in New York.
    await clock.advance(11.5 * 3_600_000);
    expect((await say('/portfolio add AAPL 1 300')).content).toContain('2026-11-13');
    expect((await say('/portfolio add 삼성전자 1 70000')).content).toContain('Sat 2026-11-14: weekend');
    expect(await ledgerOf('mina')).toHaveLength(1);
  });

  it('convert a price in another currency at the rate of its day, and record that rate', async () => {
    const { say, plan, ledgerOf } = await open();
    await say('/portfolio new 원화 KRW');
    const asked = await say('/portfolio add AAPL 2 420,000원 2026-11-10');
    expect(asked.content).toContain(
      '₩420,000 comes to $300.00 at the rate 1 USD = ₩1,400 (2026-11-10 · source: hand).',
    );
    expect(await plan({ price: '420000', currency: 'KRW', date: '2026-11-10' })).toMatch(
      /^refused: .*₩420,000 comes to \$300\.00/,
    );
    await say(asked.choices?.[0]?.command ?? '');
    expect(await ledgerOf('mina')).toMatchObject([{ kind: 'buy', currency: 'USD' }]);
    const [entry] = await ledgerOf('mina');
    expect([entry?.rate?.toFixed(), entry && 'price' in entry && entry.price.toFixed()]).toEqual([
      '1400',
      '300',
    ]);
  });

  it('state a rate the usual way round with day and source, and never use sample rates', async () => {
    const { say, sayKo, deps, requesterOf } = await open();
    await say('/portfolio new main KRW');
    const asked = await sayKo('/portfolio 매수 삼성전자 1주 50달러 2026-11-10');
    expect(asked.content).toContain(
      '삼성전자 (005930)의 거래 통화: 한국 원. 환율(1 USD = ₩1,400, 2026-11-10 · 출처: hand)로 계산하면 $50.00 = ₩70,000이에요.',
    );
    // An entry in the portfolio's own currency has no rate.
    expect(asked.content).toContain('이 금액으로 기록하려면: `/portfolio add 005930.KS 1 70000');
    expect(asked.content).not.toContain('--rate');
    await say('/portfolio new dollars USD');
    const inDollars = await sayKo('/portfolio 매수 삼성전자 1주 50달러 2026-11-10 @dollars');
    expect(inDollars.content).toContain('--rate=0.00071428571');
    const { getDays } = deps.market;
    const sample: typeof getDays = async (...asking) => {
      const found = await getDays(...asking);
      return found.status === 'ok' ? { ...found, value: { ...found.value, isSample: true } } : found;
    };
    const record = recordAnswer({ ...deps, market: { ...deps.market, getDays: sample } });
    const request = {
      kind: 'buy',
      name: '005930',
      quantity: '1',
      price: '50달러',
      date: '2025-11-10',
    } as const;
    const refused = await record(request, requesterOf('mina'), signal);
    expect(refused).toMatchObject({ found: 0, facts: [] });
    expect(refused.content).toContain('미국 달러 말고 한국 원 금액');
    expect(refused.choices).toBeUndefined();
  });

  it('suspect no other currency if the currency was named', async () => {
    const { plan, sayKo } = await open();
    const samsung = { name: '삼성전자', price: '180' };
    expect(await plan(samsung)).toContain('looks like an amount in USD');
    expect(await plan({ ...samsung, currency: 'KRW' })).toMatch(
      /₩180 is only about 0\.26% of the last price/,
    );
    const { content } = await sayKo('/portfolio 매수 삼성전자 10주 180원');
    expect(content).not.toContain('미국 달러');
    expect(content).toContain('0.26% 정도예요');
  });

  it('skip only what needs prices if no source answers in time', async () => {
    const { service, requesterOf, clock, deps } = await open();
    Object.assign(deps.market, { getQuotes: never, getHistory: never });
    const planned = service.plan(
      { kind: 'buy', name: 'AAPL', quantity: '1', price: '9', date: '2026-11-08' },
      requesterOf('mina', 'en'),
      signal,
    );
    await clock.advance(3_000);
    expect(await planned).toMatchObject({ status: 'ready', text: expect.stringMatching(/weekend/) });
  });
});
