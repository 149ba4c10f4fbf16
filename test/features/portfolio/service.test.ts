import type { Fact } from '#src/kernel/market/fact.ts';
import { kindOf } from '#test/support/fact-kind.ts';
import { describe, expect, it } from 'vitest';
import { asId, type TransactionId } from '#src/kernel/ids.ts';
import type { Transaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { summaryAnswer } from '#src/features/portfolio/summary/summary.ts';
import { openPortfolios } from './service-support.ts';
import { instrumentOf } from '../../markets/sources/market-fixtures.ts';

const { signal } = new AbortController();

const open = async () => {
  const all = await openPortfolios();
  all.closes.set('USDKRW=X', { '2026-11-02': '1400', '2026-11-12': '1450' });
  all.prices.set('005930.KS', { price: '80000', previousClose: '78000' });
  all.prices.set('AAPL', { price: '210', previousClose: '200' });
  all.prices.set('USDKRW=X', { price: '1500' });
  return all;
};

const factOf = (facts: readonly Fact[] = []) =>
  Object.fromEntries(
    facts.map((fact) => [
      [fact.entity, kindOf(fact), ...(fact.label === undefined ? [] : [`(${fact.label})`])].join(' '),
      fact.value,
    ]),
  );

describe('a portfolio', () => {
  it('is made with the first entry, and says exactly what was recorded, what is held and how to take it back', async () => {
    const { say, ledgerOf } = await open();
    expect((await say('/portfolio')).content).toContain('아직 기록이 없어요');
    const first = await say('/portfolio add 삼성전자 10주 71,000원 11/12 수수료 500');
    expect(first.content.split('\n')).toEqual([
      '✅ **기본** #1 기록했어요',
      '매수: 삼성전자 (005930) 10주 × ₩71,000 = ₩710,000 · 수수료 ₩500 · 2026-11-12',
      '지금 10주, 평단 ₩71,050',
      '새 포트폴리오: **기본** (KRW)',
    ]);
    expect(first.choices).toEqual([
      { label: '#1 취소', command: '/portfolio undo 1 --in=기본', effect: 'ends', isDestructive: true },
    ]);
    // 4 × 80,000 − 640 of tax − 4 × 71,050.
    const sale = await say('/portfolio sell 삼성전자 4');
    expect(sale.content).toContain('최근 시세로 기록했어요: ₩80,000');
    expect(sale.content).toContain('거래세 ₩640은 자동 계산이에요.');
    expect(sale.content).toContain('이번 손익 +₩35,160');
    expect(await ledgerOf('mina')).toHaveLength(2);
  });

  it('adds up: value, gains by price and by rate, dividends, cash, fees and taxes', async () => {
    const { say, drawn } = await open();
    await say('/portfolio deposit 1000만원 11/2');
    await say('/portfolio fx 140만원 1,000달러 11/2');
    await say('/portfolio add 삼성전자 10주 71,000원 11/2 수수료 500');
    await say('/portfolio add AAPL 4 @200 11/2');
    await say('/portfolio dividend AAPL 10 --tax=1.5 --date=11/12');
    const { content, facts, cards, media, choices } = await say('/portfolio');
    expect(factOf(facts)).toMatchObject({
      // 10 × 80,000 + 4 × 210 × 1,500, and 7,889,500 won with 208.5 dollars.
      'portfolio:기본 holdingsValue': '2060000',
      'portfolio:기본 totalValue': '10262250',
      // 89,500 and 4 × (210 × 1,500 − 200 × 1,400), of which 10 × 1,400 each is the price's.
      'portfolio:기본 unrealisedGain': '229500',
      'portfolio:기본 unrealisedFromPrice': '145500',
      'portfolio:기본 unrealisedFromFx': '84000',
      // 10 × 2,000 and 4 × 10 × 1,500.
      'portfolio:기본 dayChange': '80000',
      'portfolio:기본 dividends': '12325',
      // 208.5 dollars.
      'portfolio:기본 cashBalance(USD)': '312750',
      'portfolio:기본 fees': '500',
      'portfolio:기본 taxes': '2175',
      'AAPL marketValueBase': '1260000',
      'AAPL averageCost': '200',
    });
    expect(content).toContain(
      '| 종목 | 수량 | 평단 | 평가금액 | 수익률 | 당일 |\n|---|---:|---:|---:|---:|---:|\n| 애플 (AAPL) | 4주 | $200.00 | ₩1,260,000 | +12.50% | +5.00% |',
    );
    const detailed = (await say('/portfolio 자세히')).content;
    expect(detailed).toContain(
      '- 애플 (AAPL): $200.00 → $210.00 · +$40.00 = +₩140,000 (가격 변동 +₩56,000 · 환율 변동 +₩84,000)',
    );
    // The change counts holdings only, not cash.
    expect(content).toContain('당일 ▲ +₩80,000 (+4.04%)');
    expect(detailed).toContain('1 USD = ₩1,500 · 기준 2026-11-13 15:30 KST · 출처: hand');
    expect(cards?.items[0]?.headline).toBe('총 평가금액 ₩10,262,250');
    expect(media).toHaveLength(1);
    expect(drawn[0]?.parts.map(({ label }) => label)).toEqual([
      '현금',
      '애플 (AAPL)',
      '삼성전자 (005930)',
      '현금 USD',
    ]);
    expect(choices?.map(({ command }) => command.slice(11))).toEqual([
      'summary details',
      'history',
      'analysis',
      'summary dark',
    ]);
  });

  it('counts cash from the day of the first deposit on, and says so', async () => {
    const { say } = await open();
    await say('/portfolio add 삼성전자 10주 71,000원 11/2');
    const first = await say('/portfolio deposit 100만원 11/10');
    expect(first.content).toContain('현금: ₩1,000,000\n');
    expect(first.content).toContain('현금은 2026-11-10부터 계산해요.');
    expect((await say('/portfolio deposit 1만원 11/10')).content).not.toContain('부터 계산합니다');
    // An earlier one moves the day, and what was traded since then counts.
    const earlier = await say('/portfolio deposit 100만원 11/1');
    expect(earlier.content).toContain('현금: ₩1,300,000\n');
    expect(earlier.content).toContain('현금은 2026-11-01부터 계산해요.');
    expect(earlier.content).not.toContain('0보다 작아졌어요');
  });

  it('says of a first deposit that the purchases of its day cost more, and what to do', async () => {
    const { say } = await open();
    await say('/portfolio add 삼성전자 10주 71,000원 11/10');
    const { content } = await say('/portfolio deposit 1만원 11/10');
    expect(content).toContain('현금: -₩700,000\n');
    expect(content).toContain('실제 매수일로 다시 기록해 주세요');
  });

  it('says which deposit or exchange is missing where cash is below zero, and the picture adds up to the words', async () => {
    const { say, drawn } = await open();
    await say('/portfolio deposit 100만원 11/2');
    await say('/portfolio add 삼성전자 20주 71,000원 11/2');
    await say('/portfolio add AAPL 4 @200 11/2');
    expect((await say('/portfolio withdraw 1만원 11/12')).content).toContain(
      '현금 잔액은 -₩420,000뿐이에요(나가는 금액 ₩10,000)',
    );
    const short = await say('/portfolio');
    expect(short.content).toContain('⚠️ KRW 현금이 ₩420,000 모자라요.');
    expect(short.content).toContain('⚠️ USD 현금이 $800.00 모자라요.');
    // 20 × 80,000 + 4 × 210 × 1,500 − 420,000 − 800 × 1,500.
    expect(short.content).toContain('**총 평가금액 ₩1,240,000**');
    expect(drawn[0]?.total.toFixed()).toBe('1240000');
    expect(drawn[0]?.parts.map(({ label }) => label)).toEqual(['삼성전자 (005930)', '애플 (AAPL)']);
    expect(drawn[0]?.origin).toMatch(/^0보다 작아 그리지 않음: 현금 -₩420,000, 현금 USD -₩1,200,000 · /u);
    const commands = [...short.content.matchAll(/예: `(?<command>[^`]+)`/gu)].map(
      ({ groups }) => groups?.['command'],
    );
    expect(commands).toEqual([
      '/portfolio 입금 420000 KRW 2026-11-02',
      '/portfolio 환전 1200000 KRW 800 USD 2026-11-02',
    ]);
    await say('/portfolio deposit 120만원 11/2');
    for (const command of commands) await say(command ?? '');
    expect((await say('/portfolio')).content).toMatch(/현금 ₩0\n/u);
  });

  it('says what has no price or rate, leaves it out of the sums, and goes without a picture that fails', async () => {
    const { say, prices, closes, breakDrawing } = await open();
    await say('/portfolio add 삼성전자 10주 70,000원');
    closes.clear();
    const blind = await say('/portfolio add AAPL 4 @200 11/2');
    expect(blind.content).toContain('환율 자료가 없어 KRW 금액에서 뺐어요: #2 (2026-11-02)');
    await say('/portfolio add NVDA 1 100');
    prices.delete('USDKRW=X');
    breakDrawing();
    const { content, facts, media } = await say('/portfolio');
    expect(factOf(facts)['portfolio:기본 totalValue (known part only)']).toBe('800000');
    expect(content).toContain('지금 시세가 없어 합계에서 뺐어요: 엔비디아 (NVDA)');
    expect(content).toContain('지금 KRW 환율이 없어 합계에서 뺐어요: 애플 (AAPL)');
    expect(content).toContain('환율 자료가 없어 KRW 금액에서 뺐어요: #2');
    expect(media).toBeUndefined();
  });

  it('is read by its owner alone, in whatever way another one names it', async () => {
    const { say, ledgerOf } = await open();
    await say('/portfolio add 삼성전자 10주 70,000원');
    const group = await say('/portfolio', { chatType: 'group' });
    expect(group.ephemeral).toBe(true);
    for (const body of [
      '/portfolio',
      '/portfolio history',
      '/portfolio list',
      '/portfolio undo 1',
      '/portfolio delete 기본 --yes',
      '/portfolio --in=기본',
    ]) {
      const { content } = await say(body, { who: 'eve' });
      expect(content, body).not.toContain('삼성전자 (');
    }
    await say('/portfolio sell 삼성전자 1 70,000원', { who: 'eve' });
    expect(await ledgerOf('eve')).toEqual([]);
    expect((await ledgerOf('mina')).map(({ isReversed }) => isReversed)).toEqual([false]);
  });

  it('records a request that comes twice once, and nothing of what it refuses', async () => {
    const { service, requesterOf, ledgerOf, say } = await open();
    const requester = { ...requesterOf('mina'), requestId: 'r1' };
    const request = { kind: 'buy', name: 'AAPL', quantity: '5', price: '190' } as const;
    const [first, second] = await Promise.all([
      service.record(request, requester, signal),
      service.record(request, requester, signal),
    ]);
    expect([first.content, second.content].filter((text) => text.includes('이미 기록되어'))).toHaveLength(1);
    expect(await ledgerOf('mina')).toHaveLength(1);
    await say('/portfolio sell AAPL 2 190');
    for (const [body, why] of [
      ['/portfolio sell AAPL 5 190', '보유 수량은 3주뿐이에요(매도 5주)'],
      ['/portfolio sell AAPL 1 190 2020-01-01', '보유 수량이 없어 매도할 수 없어요'],
      ['/portfolio withdraw 100달러', '현금 잔액은 '],
      ['/portfolio add AAPL -5 190', '0보다 커야 해요'],
      ['/portfolio add AAPL 5 190 2026-11-14', '아직 오지 않은 날짜예요'],
      ['/portfolio add AAPL 5 11/2', '한 주의 가격을 함께 적어 주세요'],
      ['/portfolio add NVDA 5', '시세를 가져올 수 없어요'],
      ['/portfolio add 코스피 1 100', '직접 보유할 수 없는'],
      ['/portfolio deposit 100 XYZ', '알 수 없는 통화예요: "XYZ"'],
      ['/portfolio add AAPL 5 190 whatever', '이해하지 못한 말이 있어 아무것도 하지 않았어요: "whatever"'],
    ] as const) {
      const { content } = await say(body);
      expect(content, body).toContain(why);
    }
    expect(await ledgerOf('mina')).toHaveLength(2);
    // Not even a portfolio is made for it.
    await say('/portfolio sell AAPL 1 190', { who: 'new' });
    expect((await say('/portfolio list', { who: 'new' })).content).toContain('아직 기록이 없어요');
  });

  it('asks which one is meant with buttons that repeat the whole entry', async () => {
    const { say } = await open();
    const { choices } = await say('/portfolio add GS 3 100 11/2 수수료 1 --in=기본', { locale: 'en' });
    expect(choices).toBeUndefined();
    await say('/portfolio new main');
    const asked = await say('/portfolio add GS 3 100 11/2 수수료 1 --in=main');
    expect(asked.choices?.map(({ command }) => command)).toEqual([
      '/portfolio add $GS 3 100 --date=11/2 --fee=1 --in=main',
      '/portfolio add 078930.KS 3 100 --date=11/2 --fee=1 --in=main',
    ]);
    const pressed = await say(asked.choices?.[1]?.command ?? '');
    expect(pressed.content).toContain('매수: GS (078930) 3주 × ₩100 = ₩300 · 수수료 ₩1 · 2026-11-02');
  });

  it('takes a coin in the money that is named, in that of before, else in its own', async () => {
    const { say, ledgerOf } = await open();
    await say('/portfolio add BTC 0.01 1.4억');
    await say('/portfolio add ETH 1 $3,000');
    await say('/portfolio sell ETH 0.5 3100');
    const held = (await ledgerOf('mina')).map((entry) =>
      'instrument' in entry ? entry.instrument.symbol : '',
    );
    expect(held).toEqual(['BTC-KRW', 'ETH-USD', 'ETH-USD']);
  });

  it('takes entries back, unless later ones need them, and keeps them in the history', async () => {
    const { say } = await open();
    await say('/portfolio add AAPL 5 190 11/2');
    await say('/portfolio sell AAPL 2 200 11/12');
    expect((await say('/portfolio undo 1')).content).toContain(
      '#2번을 먼저 취소해 주세요: `/portfolio undo 2',
    );
    expect((await say('/portfolio undo')).content).toContain('#2 취소했어요');
    expect((await say('/portfolio undo 2')).content).toContain('이미 취소된 기록');
    expect((await say('/portfolio undo 7')).content).toContain('#7번 기록이 없어요');
    const { content } = await say('/portfolio history');
    expect(content).toMatch(/~~\*\*#2\*\* 매도.*~~ \(취소됨\)\n- \*\*#1\*\* 매수/u);
    expect(factOf((await say('/portfolio')).facts)['AAPL quantity']).toBe('5');
    await say('/portfolio undo 1');
    expect((await say('/portfolio undo')).content).toContain('취소할 기록이 없어요');
  });

  it('says of an entry of an earlier day that a later one would not fit any more', async () => {
    const { say } = await open();
    await say('/portfolio add AAPL 10 190 11/2');
    await say('/portfolio sell AAPL 10 200 11/10');
    const { content } = await say('/portfolio sell AAPL 3 195 11/5');
    expect(content).toMatch(/^이 기록을 넣으면 그 뒤의 기록과 맞지 않아요\. 2026-11-10 /u);
    expect((await say('/portfolio history')).content).toContain('기록 2건');
  });

  it('asks about a price far from the last one: as it is, by the whole command, or as the total that it fits', async () => {
    const { say, prices } = await open();
    prices.set('005930.KS', { price: '71000' });
    const { content, typed, choices } = await say('/portfolio add 삼성전자 10 710000');
    expect(content).toContain('아직 기록하지 않았어요');
    expect(typed).toContain('`/portfolio add 005930.KS 10 710000 --yes`');
    expect(choices?.map(({ command }) => command)).toEqual([
      '/portfolio add 005930.KS 10 71000 --yes',
      '/portfolio add 005930.KS 10 710000 --yes',
    ]);
    expect((await say('/portfolio add 005930.KS 10 710000 --yes')).content).toContain('#1 기록');
  });

  it('says of the first one that it is the default, of another how to record into it', async () => {
    const { say } = await open();
    expect((await say('/portfolio new 연금')).content).toContain('기본으로 쓸게요');
    expect((await say('/portfolio new 모험')).content).toContain('/portfolio use 모험');
  });

  it('is kept as its owner wants, one of several, and deleted after a second word only', async () => {
    const { say } = await open();
    await say('/portfolio new 연금 USD');
    await say('/portfolio new Risky');
    expect((await say('/portfolio new risky')).content).toContain('이미 있어요');
    expect((await say('/portfolio new "두 단어"')).content).toContain('한 단어로');
    await say('/portfolio use RISKY');
    expect((await say('/portfolio sell 삼성전자 2 70,000원')).content).toContain(
      '보유 수량이 없어 매도할 수 없어요',
    );
    await say('/portfolio short on');
    expect((await say('/portfolio sell 삼성전자 2 70,000원')).content).toContain('**Risky** #1');
    expect((await say('/portfolio short off')).content).toContain('공매도 기록이 있어 끌 수 없어요');
    await say('/portfolio cost fifo @연금');
    const { content } = await say('/portfolio list');
    expect(content).toContain('**연금** · USD · 선입선출법');
    expect(content).toContain('★ **Risky** · KRW · 평균단가법 · 공매도 허용');
    const sure = await say('/portfolio delete risky');
    // Without buttons, the command is typed.
    expect(sure.typed).toContain('`/portfolio delete Risky --yes`');
    expect(sure.choices).toEqual([
      { label: 'Risky 삭제', command: '/portfolio delete Risky --yes', answers: 'yes' },
    ]);
    expect((await say('/portfolio list')).content).toContain('Risky');
    await say(sure.choices?.[0]?.command ?? '');
    expect((await say('/portfolio list')).content).not.toContain('Risky');
  });

  it('of 200 holdings and 5,000 entries shows the largest, sums up the others, and costs little', async () => {
    const { store, requesterOf, deps } = await open();
    const portfolio = await store.create(requesterOf('mina'), { name: 'big', baseCurrency: 'USD' });
    if (!portfolio) throw new Error('no portfolio');
    const transactions = Array.from({ length: 5_000 }, (_none, index): Transaction => {
      // Each fifth trade of a symbol is a sale.
      const isSale = Math.floor(index / 200) % 5 === 4;
      return {
        id: asId<TransactionId>(String(index)),
        portfolioId: portfolio.id,
        number: index + 1,
        recordedAt: deps.clock.now(),
        isReversed: false,
        kind: isSale ? 'sell' : 'buy',
        clientId: String(index),
        instrument: instrumentOf(`S${index % 200}`),
        date: Temporal.PlainDate.from('2026-01-01').add({ days: Math.floor(index / 20) }),
        quantity: new Decimal(isSale ? 1 : 3),
        price: new Decimal(10).plus(index % 7),
        fee: new Decimal('0.5'),
        tax: new Decimal(0),
        currency: 'USD',
        rate: new Decimal(1),
      };
    });
    const market: typeof deps.market = {
      ...deps.market,
      getQuotes: async (instruments) =>
        instruments.map((instrument) => ({
          status: 'ok',
          quote: {
            instrument,
            price: new Decimal(12),
            previousClose: new Decimal(11),
            asOf: deps.clock.now(),
            source: 'hand',
            isSample: true,
            sessionState: 'open',
            isStale: false,
          },
        })),
    };
    const summary = summaryAnswer({
      ...deps,
      market,
      store: { ...store, transactions: async () => transactions },
    });
    const run = () => summary({ isDrawn: false }, requesterOf('mina', 'en'), signal);
    await run();
    const begin = process.cpuUsage();
    const { content, facts, cards } = await run();
    const { user, system } = process.cpuUsage(begin);
    expect(content.match(/^\| S\d+/gmu)).toHaveLength(20);
    expect(content).toMatch(/\| 180 others \|/u);
    // On a platform with cards each is a field, and the others are one.
    const { items = [] } = cards ?? {};
    expect(items.map(({ fields }) => fields.length)).toEqual([2, 21]);
    const [first] = items[1]?.fields ?? [];
    expect(first?.value).toMatch(/^55 × \$\S+ → \$660\.00\n-/u);
    expect(items[1]?.fields.at(-1)?.name).toBe('180 others');
    expect(items.at(-1)?.footer).toMatch(/2026-.*sample/u);
    expect(facts.filter(({ metric }) => metric === 'quantity')).toHaveLength(20);
    expect(facts.some(({ isSample }) => isSample)).toBe(true);
    // Far more than it takes, on a machine that others use too. Mistakes of the wrong order do not hide.
    expect((user + system) / 1_000).toBeLessThan(2_000);

    // Holdings without a price have no sum, not even zero.
    const priced = new Set(Array.from({ length: 20 }, (_none, index) => `S${index}`));
    const getQuotes: typeof market.getQuotes = async (instruments, stop) =>
      (await market.getQuotes(instruments, stop)).map((result) =>
        result.status === 'ok' && !priced.has(result.quote.instrument.symbol)
          ? { status: 'unavailable', instrument: result.quote.instrument, reason: 'no-data' }
          : result,
      );
    const partly = summaryAnswer({
      ...deps,
      market: { ...market, getQuotes },
      store: { ...store, transactions: async () => transactions },
    });
    const { content: some } = await partly(
      { isDrawn: false, isDetailed: true },
      requesterOf('mina', 'en'),
      signal,
    );
    expect(some).toContain('| 180 others | – | – | – | – |');
  });
});
