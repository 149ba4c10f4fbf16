import { describe, expect, it } from 'vitest';
import { portfolioTexts } from '#src/features/portfolio/texts/portfolio.ts';
import { calls } from '#test/support/broker.ts';
import { answer, startEngineApp } from '#test/support/engine-app.ts';
import { lastTurnOf, problemsOf, query } from './gateway-support.ts';

const HUGE = 'A'.repeat(100_000);
const HUGE_REFUSED = /^Your command has 100,0\d\d characters; this one may have up to 2,000\./;
/** Turns the direction of writing around, and back. */
const [RTL, BACK] = ['\u202e', '\u202c'];

/** With ten pieces of AAPL held, and nothing else. */
const IN_ENGLISH: readonly (readonly [line: string, said: RegExp])[] = [
  ['/portfolio add AAPL -5 190', /quantity "-5" has to be above zero/],
  ['/portfolio add AAPL 5 -190', /price "-190" has to be above zero/],
  ['/portfolio add AAPL 5 190 --fee=-1', /fee "-1" has to be above zero/],
  ['/portfolio sell AAPL 11 200', /you hold only 10 of Apple.*, so 11 cannot be sold/],
  ['/portfolio sell TSLA 1 200', /you hold no Tesla/],
  ['/portfolio withdraw 100 USD', /cash balance is -\$1,905\.00, so \$100\.00 cannot go out/],
  ['/portfolio deposit 100 ZZZ', /do not know the currency "ZZZ"/],
  ['/portfolio add AAPL 5 190 --currency=XYZ', /do not know the currency "XYZ"/],
  ['/portfolio new pension ZZZ', /do not know the currency "ZZZ"/],
  ['/portfolio add AAPL 5 190 2031-01-01', /2031-01-01 lies in the future/],
  ['/portfolio add AAPL 5 190 tomorrow', /2026-11-14 lies in the future/],
  ['/portfolio add AAPL 5 190 2026-02-30', /no such day as "2026-02-30"/],
  ['/portfolio add AAPL 1e30 190', /quantity "1e30" is larger than I can record/],
  [`/portfolio add AAPL 1${'0'.repeat(30)} 190`, /larger than I can record/],
  ['/portfolio add AAPL 5 1e30', /price "1e30" is larger than I can record/],
  ['/portfolio add AAPL 1e-30 190', /too many decimals/],
  ['/portfolio split AAPL 1e30', /cannot use "1e30" as a ratio/],
  ['/portfolio add AAPL NaN 190', /don't know|cannot read/],
  ['/portfolio add 🚀🚀 5 190', /don't know "🚀🚀"/],
  ['/portfolio add AAPL 5🚀 190', /do not understand "🚀"/],
  [`/portfolio add ${RTL}AAPL${BACK} -5 190`, /quantity "-5" has to be above zero/],
  [`/portfolio add AAPL 5 190 --note=${'x'.repeat(500)}`, /note is too long/],
  ["/portfolio add '; drop table portfolios;-- 5 190", /don't know/],
  ['/portfolio new ../../etc USD', /A name is one word/],
  ['/portfolio undo 2', /no entry #2/],
  ['/portfolio import confirm ZZZZZZ all', /No such import/],
  ['/portfolio import\n=cmd|calc,+1,@x', /No line names the columns/],
  [
    '/portfolio import\ndate,kind,symbol,quantity,price\n2026-11-12,buy,AAPL,=1+1,1\n2026-11-12,buy,=AAPL,1,1\n2026-11-12,buy,AAPL,-3,1\n2031-01-01,buy,AAPL,1,1\n2026-11-12,sell,AAPL,99,1',
    /cannot be recorded: 5[^]*Line 2: “=1\+1”[^]*Line 3: “=AAPL” is a formula[^]*Line 4: [^]*sign[^]*Line 5: [^]*future[^]*Line 6: [^]*nothing to sell[^]*nothing to record/,
  ],
  ['/alert AAPL > -5', /no price I can wait for/],
  ['/alert AAPL > 1e30', /no price I can wait for/],
  ['/alert AAPL > 500 ZZZ', /could not read what to wait for/],
  ['/alert AAPL > 500 until 2001-01-01', /no time in the next two years/],
  ['/alert 🚀 > 5', /don't know "🚀"/],
  [`/alert ${RTL}AAPL > ${'9'.repeat(30)}`, /no price I can wait for/],
  ['/alert delete zzzzzz', /You have no alert "zzzzzz"/],
  ['/watch 🚀', /don't know "🚀"/],
  ['/briefing 25:00', /"25:00" is no time of day/],
  ['/briefing delete zzzzzz', /You have no briefing/],
  [`/portfolio add ${HUGE} 5 190`, HUGE_REFUSED],
  [`/alert ${HUGE} > 5`, HUGE_REFUSED],
  [`/portfolio import\n${'x,'.repeat(50_000)}`, /this one may have up to 10,000\./],
];

/** With nothing at all. */
const IN_KOREAN: readonly (readonly [line: string, said: RegExp])[] = [
  ['/포트폴리오 매수 삼성전자 -5주 71,000원', /수량 값은 0보다 커야 해요/],
  ['/포트폴리오 매도 삼성전자 5주 71000원', /보유 수량이 없어 매도할 수 없어요/],
  ['/포트폴리오 입금 100 ZZZ', /알 수 없는 통화예요: "ZZZ"/],
  ['/포트폴리오 매수 삼성전자 5주 7만원 2031-01-01', /아직 오지 않은 날짜예요\(2031-01-01\)/],
  ['/포트폴리오 매수 삼성전자 1e30 71000원', /값이 너무 커서 기록할 수 없어요/],
  ['/포트폴리오 매수 🚀 5주 71000원', /"🚀" 종목을 찾지 못했어요/],
  [
    '/포트폴리오 가져오기\n날짜,구분,종목,수량,단가\n2026-11-12,매수,=삼성전자,1,1',
    /2번째 줄: 수식[^]*“=삼성전자”/,
  ],
  ['/알림 삼성전자 -5원 이상', /기다릴 수 있는 가격이 아닙니다/],
  ['/관심 🚀', /"🚀" 종목을 찾지 못했어요/],
  ['/브리핑 25:00', /"25:00": 시각으로 읽을 수 없습니다/],
  ['/연결 ZZZZ-ZZZZ', /맞지 않거나 지난 코드예요/],
];

/** Of the model: what does not fit the schema, and what fits it and is wrong all the same. */
const BY_THE_MODEL = [
  ['record_transaction', { kind: 'buy', symbol: 'AAPL', quantity: '-5', price: '1', date: '2026-11-12' }],
  ['record_transaction', { kind: 'buy', symbol: 'AAPL', quantity: '1e30', price: '1', date: '2026-11-12' }],
  ['record_transaction', { kind: 'buy', symbol: 'AAPL', quantity: '5', price: '1', date: '2031-01-01' }],
  ['record_transaction', { kind: 'deposit', amount: '5', currency: 'ZZZ', date: '2026-11-12' }],
  ['record_transaction', { kind: 'steal', amount: '5', currency: 'USD', date: '2026-11-12' }],
  ['set_alert', { symbol: 'AAPL', condition: 'above', value: '-5' }],
  ['set_alert', { symbol: '🚀', condition: 'above', value: '5' }],
  ['remove_alert', { which: 'zzzzzz' }],
  ['manage_watchlist', { action: 'add', names: ['🚀'] }],
  ['set_briefing', { action: 'set', time: '25:00' }],
] as const;

const TABLES = {
  portfolios: 1,
  transactions: 1,
  pending_imports: 0,
  dismissed_actions: 0,
  alerts: 0,
  watchlist_entries: 0,
  briefings: 0,
  identity_links: 0,
};

describe('broken and hostile input', () => {
  it('gets one clear sentence in the language of its writer, and nothing is stored', async () => {
    const app = await startEngineApp();
    await app.ask('ann', '/portfolio add AAPL 10 190.5');
    for (const [who, lines] of [
      ['ann', IN_ENGLISH],
      ['minsu', IN_KOREAN],
    ] as const)
      for (const [line, said] of lines) {
        const answers = await app.ask(who, line);
        expect(answers, line.slice(0, 100)).toEqual([expect.stringMatching(said)]);
        expect(answers.join('').length).toBeLessThan(1_000);
      }
    app.claude.reply(
      ...BY_THE_MODEL.map(([name, input]) => calls({ name, input })),
      answer('None of it can be done.'),
    );
    expect(await app.ask('ann', 'Do it')).toEqual([expect.stringContaining('None of it can be done.')]);
    expect(problemsOf(app.claude)).toEqual([]);
    expect(app.claude.history).toHaveLength(BY_THE_MODEL.length + 1);
    const results = app.claude.history.slice(1).map(({ body }) => lastTurnOf(body).join(''));
    for (const [index, result] of results.entries())
      expect(result, JSON.stringify(BY_THE_MODEL[index])).not.toMatch(/✅|🔔|Done|Added|error \w{8}/);
    expect(app.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    await app.stop();
    for (const [table, count] of Object.entries(TABLES))
      expect(query(app.dataDir, `select * from ${table}`), table).toHaveLength(count);
  });

  it('that would make too many entries is refused with what to do, also when the last two come at once', async () => {
    const app = await startEngineApp({ config: { portfolio: { maxEntries: 100 } } });
    const rows = Array.from({ length: 99 }, (_, index) => `2026-11-03,buy,TSLA,3,${index + 1}`);
    const [preview = ''] = await app.ask(
      'ann',
      `/portfolio import\ndate,kind,symbol,quantity,price\n${rows.join('\n')}`,
    );
    await app.ask('ann', /\/portfolio import confirm \w+ all/.exec(preview)?.[0] ?? '');
    const both = ['/portfolio add AAPL 1 300', '/portfolio add MSFT 1 480'];
    const told = (await Promise.all(both.map((line) => app.ask('ann', line)))).flat().toSorted();
    expect(told).toEqual([
      portfolioTexts('en').full({ limit: '100' }),
      expect.stringContaining('Recorded #100'),
    ]);
    // To take back what was wrong is always possible.
    expect((await app.ask('ann', '/portfolio undo 100')).join()).toContain('Undone');
    expect(await app.ask('ben', '/portfolio add AAPL 1 300')).toEqual([
      expect.stringContaining('Recorded #1'),
    ]);
  });

  it('that comes twice at once is done once', async () => {
    const app = await startEngineApp();
    const twice = async (...lines: readonly [string, string]): Promise<string> =>
      (await Promise.all(lines.map((line) => app.ask('ann', line)))).flat().toSorted().join('\n');
    await app.ask('ann', '/portfolio add AAPL 10 200');
    expect(await twice('/portfolio sell AAPL 10 200', '/portfolio sell AAPL 10 201')).toMatch(
      /you hold no Apple[^]*Recorded #2 in \*\*main\*\*/,
    );
    expect(await twice('/portfolio undo 2', '/portfolio undo 2')).toMatch(
      /was taken back already[^]*Undone: #2 in \*\*main/,
    );
    const rows = 'date,kind,symbol,quantity,price\n2026-11-03,buy,TSLA,3,1';
    const [preview = ''] = await app.ask('ann', `/portfolio import\n${rows}`);
    const confirm = /\/portfolio import confirm \w+ all/.exec(preview)?.[0] ?? '';
    expect(await twice(confirm, confirm)).toMatch(/nothing was recorded twice[^]*Recorded in \*\*main/);
    await app.stop();
    expect(query(app.dataDir, 'select kind from transactions order by number')).toEqual(
      ['buy', 'sell', 'reversal', 'buy'].map((kind) => ({ kind })),
    );
  });
});
