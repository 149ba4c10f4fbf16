import { describe, expect, it } from 'vitest';
import type { CorporateAction } from '#src/kernel/market/corporate-action.ts';
import { Decimal } from '#src/kernel/money.ts';
import { moversText } from '#src/features/briefings/compose-briefing.ts';
import { moversOf } from '#src/features/portfolio/summary/movers.ts';
import { openPortfolios } from '#test/features/portfolio/service-support.ts';
import { missingNumbers } from '#test/support/printed-numbers.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const split = (date: string, ratio: string): CorporateAction => ({
  kind: 'split',
  date: day(date),
  ratio: new Decimal(ratio),
});
const dividend = (date: string, amount: string): CorporateAction => ({
  kind: 'dividend',
  date: day(date),
  amount: new Decimal(amount),
  currency: 'USD',
});

/** It is 2026-11-13. AAPL was split 4:1 on 2026-06-01, and its closes are in the shares of today. */
const open = async (actions = [split('2026-06-01', '4')], close = '50', price = '60') => {
  const all = await openPortfolios();
  all.closes.set('AAPL', { '2026-03-02': close });
  all.actions.set('AAPL', actions);
  all.prices.set('AAPL', { price });
  const say = (body: string, locale: 'en' | 'ko' = 'en') => all.say(body, { locale });
  await say('/portfolio new main USD');
  const press = async (label: RegExp, from: Awaited<ReturnType<typeof say>>) => {
    const choice = from.choices?.find((each) => label.test(each.label));
    if (!choice) throw new Error(`nothing to press: ${JSON.stringify(from.choices)}`);
    return say(choice.command);
  };
  const kinds = async () =>
    (await all.ledgerOf('mina')).map(({ kind, date }) => `${kind} ${date.toString()}`);
  return { ...all, say, press, kinds };
};

describe('a holding with an unrecorded split', () => {
  it('is reported when recording, in the summary and in the history, with correct figures and a button that records it', async () => {
    const { say, press, kinds } = await open();
    const recorded = await say('/portfolio add AAPL 10 200 2026-03-02');
    expect(recorded.content).toContain(
      '⚠️ A 4:1 split of Apple (AAPL) followed on 2026-06-01 and is not recorded: 10 became 40.',
    );
    expect(recorded.typed).toBe('To record it: `/portfolio split AAPL 4:1 --date=2026-06-01`');

    const summary = await say('/portfolio');
    expect(summary.content).toContain('| Apple (AAPL) ⚠️ | 40 | $50.00 | $2,400.00 | +20.00% |');
    expect(summary.content).toContain(
      '⚠️ Apple (AAPL): the 4:1 split of 2026-06-01 is not recorded. Figures marked ⚠️ include it (10 → 40).',
    );
    expect(summary.content).not.toContain('-70');
    expect(summary.cards?.text).toContain('the 4:1 split of 2026-06-01 is not recorded');
    const history = await say('/portfolio history', 'ko');
    expect(history.content).toContain(
      '⚠️ 애플 (AAPL)은 2026-06-01에 4:1로 분할됐어요. 아직 기록에 없어요: 10주 → 40주.',
    );
    expect(await kinds()).toEqual(['buy 2026-03-02']);
    expect((await press(/Record 4:1 split/, summary)).content).toContain('Now held: 40');
    expect(await kinds()).toEqual(['buy 2026-03-02', 'split 2026-06-01']);
    const after = await say('/portfolio');
    expect(after.content).toContain('| Apple (AAPL) | 40 | $50.00 | $2,400.00 | +20.00% |');
    expect([after.content, (await say('/portfolio history')).content].join()).not.toContain('⚠️');
    const actions = await say('/portfolio actions', 'ko');
    expect(actions.content).toContain('- 2026-06-01 · 애플 (AAPL) · 4:1 분할 (10주 → 40주) · 기록됨 ✅');
    expect([recorded, summary, history, actions].flatMap(missingNumbers)).toEqual([]);
  });

  it('is counted and named in the analysis, the rebalancing plan, the tax report and the briefing', async () => {
    const { say, deps, owners, requesterOf, prices, closes, market } = await open();
    prices.set('AAPL', { price: '60', previousClose: '58' });
    closes.set('^GSPC', { '2026-02-27': '6000', '2026-11-13': '6600' });
    closes.set('AAPL', { '2026-03-02': '50', '2026-06-01': '55', '2026-11-13': '60' });
    await say('/portfolio add AAPL 10 200 2026-03-02');
    await say('/portfolio sell AAPL 4 55 2026-08-03 --yes');
    const note =
      '⚠️ Apple (AAPL): all figures here count with the 4:1 split of 2026-06-01 (10 → 40), which is not recorded.';

    const analysis = await say('/portfolio analysis');
    expect(analysis.content).toContain('Value $2,160.00 · paid in');
    expect(analysis.content).toContain(note);
    expect(analysis.content).toContain('(AAPL) 100.0%\n');
    expect(analysis.choices?.[0]?.command).toBe('/portfolio split AAPL 4:1 --date=2026-06-01');
    const plan = await say('/portfolio rebalance AAPL 100');
    expect(plan.content).toContain(note);
    const tax = await say('/portfolio tax 2026 us');
    expect(tax.content).toContain(note);
    // 4 of 40 shares that cost 50 each.
    expect(tax.content).toContain('$20.00');

    const ownerId = await owners.ownerOf(requesterOf('mina'));
    const signal = new AbortController().signal;
    const audience = { locale: 'en', timeZone: 'Asia/Seoul' } as const;
    const moved = await moversOf({ ...deps, market })(ownerId, audience, signal);
    const briefing = moved && moversText(moved, audience);
    expect(briefing).toContain('- Apple (AAPL) ⚠️: +3.45% → +$72.00');
    expect(briefing).toContain(note);
  });

  it('is counted and named when recording and exporting', async () => {
    const { say } = await open();
    const note =
      '⚠️ Apple (AAPL): all figures here count with the 4:1 split of 2026-06-01 (10 → 40), which is not recorded.';
    const first = (await say('/portfolio add AAPL 10 200 2026-03-02')).content;
    expect(first).toMatch(/Now held: 40, .*\$50\.00 \(counted with the split\)/u);
    const sold = await say('/portfolio sell AAPL 4 55 2026-08-03 --yes');
    expect(sold.content).toMatch(
      /Now held: 36, .*\$50\.00 \(counted with the split\)\nProfit on this sale: \+\$20\.00/u,
    );
    expect(sold.content).toContain(note);
    expect(sold.facts).toContainEqual(expect.objectContaining({ metric: 'quantity', value: '36' }));
    const today = await say('/portfolio add AAPL 1 60 --yes');
    expect(today.content).toMatch(/Now held: 37, [^]*count with the 4:1 split/u);
    expect((await say('/portfolio dividend AAPL 5 2026-11-12')).content).toContain('Now held: 37,');
    const earlier = (await say('/portfolio add AAPL 10 160 2026-03-03 --yes')).content;
    expect(earlier).toContain('#2 +$20.00 → +$40.00');

    const file = await say('/portfolio export', 'ko');
    expect(file.content).toContain(
      '애플 (AAPL)은 2026-06-01에 4:1로 분할됐어요. 아직 기록에 없어요: 20주 → 80주.',
    );
    expect(file.choices?.[0]?.command).toBe('/portfolio split AAPL 4:1 --date=2026-06-01');
    await say('/portfolio actions dismiss AAPL 2026-06-01 --yes');
    for (const body of ['/portfolio export', '/portfolio sell AAPL 1 55 2026-08-04 --yes'])
      expect((await say(body)).content, body).toContain('you dismissed the 4:1 split of 2026-06-01');
  });

  it('names the fraction that a reverse split leaves', async () => {
    const { say, press } = await open([split('2026-06-01', '0.1')], '200', '240');
    await say('/portfolio add AAPL 25 20 2026-03-02');
    const summary = await say('/portfolio');
    expect(summary.content).toContain('the 1:10 reverse split of 2026-06-01 is not recorded');
    expect(summary.content).toContain('(25 → 2.5). The fraction of 0.5 is usually paid out');
    expect((await press(/Record 1:10 reverse split/, summary)).content).toContain('Now held: 2.5');
    expect((await say('/portfolio')).content).toContain(
      '| Apple (AAPL) | 2.5 | $200.00 | $600.00 | +20.00% |',
    );
  });

  it.each<[what: string, entries: readonly string[]]>([
    ['recorded some days off', ['add AAPL 10 200 2026-03-02', 'split AAPL 4:1 2026-06-04']],
    ['bought after it', ['add AAPL 10 50 2026-06-01']],
    ['bought in shares of today, as an app shows it', ['add AAPL 40 50 2026-03-02 --yes']],
    [
      'sold before it',
      ['add AAPL 10 200 2026-03-02', 'sell AAPL 10 200 2026-03-03', 'add AAPL 1 50 2026-07-01'],
    ],
  ])('is not offered where it is %s', async (_what, entries) => {
    const { say } = await open();
    for (const entry of entries) await say(`/portfolio ${entry}`);
    expect((await say('/portfolio')).content).not.toMatch(/⚠️|-7\d/);
  });

  it('names the entries that already count the split and counts it once for each', async () => {
    const { say, kinds } = await open();
    await say('/portfolio add AAPL 10 200 2026-03-02');
    await say('/portfolio add AAPL 40 50 2026-03-03 --yes');
    const { content, choices } = await say('/portfolio');
    expect(content).toContain('but #2 already counts it');
    expect(content).toContain('| Apple (AAPL) ⚠️ | 80 | $50.00 | $4,800.00 | +20.00% |');
    expect(choices?.some(({ label }) => label.includes('split'))).toBe(false);
    for (const body of ['/portfolio rebalance AAPL 100', '/portfolio analysis'])
      expect((await say(body)).content, body).toContain(
        'but #2 already counts it; all figures here allow for that',
      );
    expect(await kinds()).toHaveLength(2);
  });

  it('has no value while its share count is ambiguous', async () => {
    const { say, closes } = await open();
    await say('/portfolio add AAPL 10 200 2026-03-02');
    closes.delete('AAPL');
    const { content } = await say('/portfolio');
    expect(content).toContain('no value is shown until it is recorded or dismissed');
    expect(content).toContain('| Apple (AAPL) ⚠️ | 10 | $200.00 | – | – | – |');
    await say('/portfolio actions dismiss AAPL 2026-06-01 --yes');
    expect((await say('/portfolio')).content).toContain(
      '| Apple (AAPL) ⚠️ | 10 | $200.00 | $600.00 | -70.00% |',
    );
  });
});

describe('a dismissed split', () => {
  it('is dismissed one at a time after confirmation, stays marked, and can be restored', async () => {
    const { say, press } = await open([split('2026-06-01', '4'), dividend('2026-09-10', '0.35')]);
    await say('/portfolio add AAPL 10 200 2026-03-02');
    const all = (await say('/portfolio actions dismiss all')).content;
    expect(all).toContain('Dismissed 1 entry');
    expect(all).toContain('- 2026-09-10 · Apple (AAPL) · dividend $0.35 × 40 = $14.00');
    expect(all).toContain('Splits stay, as all values depend on them: 2026-06-01 · Apple (AAPL) · 4:1 split');
    expect((await say('/portfolio')).content).toContain('| Apple (AAPL) ⚠️ | 40 | $50.00 | $2,400.00 |');

    const question = await say('/portfolio actions dismiss AAPL');
    expect(question.content).toContain('Every figure will then count with 10 instead of 40');
    expect((await say('/portfolio')).content).toContain('| Apple (AAPL) ⚠️ | 40 | $50.00 | $2,400.00 |');
    await press(/Dismiss 4:1 split/, question);
    const summary = (await say('/portfolio')).content;
    expect(summary).toContain('| Apple (AAPL) ⚠️ | 10 | $200.00 | $600.00 |');
    expect(summary).toContain('To bring it back: `/portfolio actions restore AAPL`');

    const back = (await say('/portfolio 배당확인 AAPL 복원', 'ko')).content;
    expect(back).toContain('숨긴 2건을 되돌렸어요');
    expect(back).toContain('- 2026-06-01 · 애플 (AAPL) · 4:1 분할 (10주 → 40주)');
    // The dividend counts the restored split.
    expect(back).toContain('$0.35 × 40주 = $14.00');
    await say('/portfolio actions dismiss AAPL 2026-06-01 --yes');
    await say('/portfolio actions dismiss AAPL 2026-09-10');
    await say('/portfolio dividend AAPL 3.5 2026-09-20');
    const one = (await say('/portfolio actions restore all')).content;
    expect(one).toMatch(/^Brought back 1 dismissed entry:\n- 2026-06-01 [^\n]*$/u);
    await say('/portfolio undo');
    expect((await say('/portfolio')).content).toContain('| Apple (AAPL) ⚠️ | 40 | $50.00 | $2,400.00 |');
    expect((await say('/portfolio actions restore')).content).toBe('Nothing is dismissed.');
    await say('/portfolio split AAPL 4:1 2026-06-01');
    await say('/portfolio split AAPL 1:3 2026-11-02');
    expect((await say('/portfolio')).content).toContain('| Apple (AAPL) | 13.33333333 |');
  });
});

describe('a holding without a source for splits', () => {
  it('is marked if its value looks like a split', async () => {
    const { say, closes, prices } = await open();
    closes.delete('AAPL');
    await say('/portfolio add AAPL 10 200 2026-03-02 --yes');
    const summary = (await say('/portfolio')).content;
    expect(summary).toContain('| Apple (AAPL) ⚠️ | 10 | $200.00 | $600.00 | -70.00% |');
    expect(summary).toContain('⚠️ Splits since 2026-03-02 not checked');
    expect((await say('/portfolio actions')).content).toMatch(
      /^Splits and dividends could not be looked up: Apple/,
    );
    prices.set('AAPL', { price: '190' });
    expect((await say('/portfolio')).content).not.toContain('not checked');
  });
});

describe('recording with an unrecorded split', () => {
  it('asks before a trade after the split, offers to record it first, and names it if too many shares are sold', async () => {
    const { say, press, kinds } = await open();
    await say('/portfolio add AAPL 10 200 2026-03-02');
    const asked = await say('/portfolio sell AAPL all 60');
    expect(asked.content).toContain(
      '⚠️ The 4:1 split of Apple (AAPL) on 2026-06-01 is not recorded: the 10 you held before it became 40.',
    );
    expect(asked.content).toContain(
      'Record the split first: `/portfolio split AAPL 4:1 --date=2026-06-01`. Then send `/portfolio sell AAPL all 60`.',
    );
    for (const trade of ['sell AAPL 5 60', 'sell AAPL half 60', 'add AAPL 1 60'])
      expect((await say(`/portfolio ${trade}`)).content, trade).toContain('4:1 split');
    for (const trade of ['sell AAPL 30 60', 'sell AAPL 30 60 --yes'])
      expect((await say(`/portfolio ${trade}`)).content, trade).toContain(
        'The 4:1 split of 2026-06-01 is not recorded (10 → 40): record it first with `/portfolio split AAPL 4:1 --date=2026-06-01`',
      );
    expect(await kinds()).toEqual(['buy 2026-03-02']);
    expect((await say('/portfolio sell AAPL 1 200 2026-03-03')).content).toContain('✅ Recorded');
    await press(/Record 4:1 split/, asked);
    expect((await say('/portfolio sell AAPL all 60')).content).toMatch(/Sold 36 .*\n(.*\n)*.*\+\$360\.00/);
  });

  it('reports the wrong gain of a sale that closed the holding without the split', async () => {
    const { say, press } = await open([split('2026-06-01', '4'), dividend('2026-09-10', '1')]);
    await say('/portfolio add AAPL 10 200 2026-03-02');
    await say('/portfolio sell AAPL all 60 2026-08-03 --yes');
    const summary = await say('/portfolio');
    expect(summary.content).toContain('#2 sold everything after it, counted without the split');
    expect(summary.content).not.toContain('dividend');
    expect((await say('/portfolio actions')).content).toContain('a later sale sold everything without it');
    await press(/Take back #2/, summary);
    expect((await say('/portfolio')).content).toContain('| Apple (AAPL) ⚠️ | 40 |');
  });

  it('does not wait for, or need, a source', async () => {
    const { say, closes, actions } = await open();
    await say('/portfolio add AAPL 10 200 2026-03-02');
    closes.delete('AAPL');
    actions.delete('AAPL');
    await say('/portfolio add TSLA 2 100 2026-03-02 --yes');
    expect((await say('/portfolio sell TSLA all 120')).content).toContain('✅ Recorded');
  });

  it('asks about a split that the entries already count, and marks it if recorded anyway', async () => {
    const { say, press, kinds } = await open();
    await say('/portfolio add AAPL 40 50 2026-03-02 --yes');
    const asked = await say('/portfolio split AAPL 4:1 2026-06-02');
    expect(asked.content).toContain('Your entries already count the 4:1 split of Apple (AAPL)');
    expect(await kinds()).toHaveLength(1);
    await press(/Record as it is/, asked);
    const summary = await say('/portfolio');
    expect(summary.content).toContain('counts twice: #2 records it, but #1 already counts it');
    await press(/Take back #2/, summary);
    expect((await say('/portfolio')).content).not.toContain('⚠️');
  });

  it('asks about a ratio that contradicts the source, and warns of one that is recorded', async () => {
    const { say, press } = await open([split('2026-06-01', '0.1')], '200');
    await say('/portfolio add AAPL 25 20 2026-03-02');
    expect((await say('/portfolio', 'ko')).content).toContain(
      '2026-06-01 10:1 병합이 기록에 없어요. ⚠️ 표시된 값은 병합을 반영했어요(25주 → 2.5주).',
    );
    expect((await say('/portfolio 배당확인 숨기기 AAPL', 'ko')).content).toContain(
      '이미 병합 후 수량으로 기록했을 때만',
    );
    const asked = await say('/포트폴리오 분할 AAPL 1:10 2026-06-01', 'ko');
    expect(asked.content).toContain('비율은 10:1 분할이 아니라 10:1 병합이에요');
    await say(`${asked.choices?.at(-1)?.command}`);
    const wrong = await say('/portfolio', 'ko');
    expect(wrong.content).toContain('#2번은 10:1 분할인데 시세 제공처에는 2026-06-01 10:1 병합이 나와요');
    await say('/portfolio undo 2');
    expect((await press(/10:1 병합/, asked)).content).toContain('Now held: 2.5');
  });

  it('matches shares of a bonus issue with the reported split', async () => {
    const { say } = await open([split('2026-06-01', '1.5')], '100', '100');
    await say('/portfolio add AAPL 11 150 2026-03-02');
    await say('/portfolio rights AAPL 5 0 2026-06-22 --yes');
    expect((await say('/portfolio')).content).toMatch(/\| Apple \(AAPL\) \| 16 \|/);
    expect((await say('/portfolio actions')).content).toContain('recorded ✅');
  });

  it('counts a split that only some entries include, without marking figures', async () => {
    const { say } = await open();
    await say('/portfolio add AAPL 10 200 2026-03-02');
    const { content } = await say('/portfolio add AAPL 40 50 2026-03-03 --yes');
    expect(content).toMatch(/Now held: 80, .*\$50\.00.* \(counted with the split\)/);
    expect(content).not.toContain('marked');
    expect((await say('/portfolio history')).content).not.toContain('marked');
  });
});

describe('two splits within some days', () => {
  it('match one entry each, in either order and some days off', async () => {
    const { say } = await open([split('2026-11-09', '4'), split('2026-11-11', '0.5')], '272', '272');
    await say('/portfolio add AAPL 20 545 2026-11-06 --yes');
    await say('/portfolio add AAPL 7 136 2026-11-10 --yes');
    const wrong = await say('/portfolio split AAPL 3:1 2026-11-11');
    expect(wrong.content).toContain('a 1:2 reverse split of Apple (AAPL) on 2026-11-11, not a 3:1 split');
    expect((await say('/portfolio split AAPL 1:2 2026-11-12')).content).toContain('✅ Recorded');
    const one = await say('/portfolio');
    expect(one.content).toContain('the 4:1 split of 2026-11-09 is not recorded');
    expect(one.content).not.toContain('undo');
    expect((await say('/portfolio split AAPL 4:1 2026-11-09')).content).toContain('✅ Recorded');
    const both = (await say('/portfolio')).content;
    expect(both).toContain('| Apple (AAPL) | 43.5 |');
    expect(both).not.toContain('⚠️');
  });
});

describe('unrecorded dividends', () => {
  /** The dividend of March is 0.25 per share of today and 1.00 per share of that day. */
  const ACTIONS = [
    dividend('2026-02-10', '0.2'),
    dividend('2026-03-10', '0.25'),
    split('2026-06-01', '4'),
    dividend('2026-06-10', '0.3'),
    dividend('2026-09-10', '0.35'),
    dividend('2026-11-10', '0.4'),
    dividend('2026-06-20', '30'),
  ];

  it('are one line in the summary and a list to record from, gross and in shares of their day', async () => {
    const { say, press, kinds } = await open(ACTIONS);
    await say('/portfolio add AAPL 10 200 2026-03-02');
    await say('/portfolio split AAPL 4:1 2026-06-01');
    await say('/portfolio dividend AAPL 11.9 2026-06-25');
    const { content } = await say('/portfolio');
    expect(content).toContain('2 dividends since 2026-03-10 are not recorded: `/portfolio actions`');
    expect(content).toContain('1 event to check yourself');

    const list = await say('/portfolio actions');
    expect(list.content).toContain(
      '2026-03-10 · Apple (AAPL) · dividend $1.00 × 10 = $10.00 · **not recorded**',
    );
    expect(list.content).toContain('2026-06-10 · Apple (AAPL) · dividend $0.30 × 40 = $12.00 · recorded ✅');
    expect(list.content).toContain(
      '2026-09-10 · Apple (AAPL) · dividend $0.35 × 40 = $14.00 · **not recorded**',
    );
    expect(list.content).toContain(
      '2026-11-10 · Apple (AAPL) · dividend $0.40 × 40 = $16.00 · probably not paid yet',
    );
    expect(list.content).toMatch(/2026-06-20 .* · ⚠️ check yourself/);
    expect(list.content).not.toContain('2026-02-10');
    expect(list.content).toContain('Source: hand');

    await press(/\$10\.00 dividend .* before tax/, list);
    expect(await kinds()).toContain('dividend 2026-03-10');
    const taxed = list.choices?.find(({ label }) => label.includes('less $2.10 tax'));
    expect(taxed?.command).toMatch(/ 14 --currency=USD --date=2026-09-10 --tax=2\.1$/u);
    await say('/portfolio undo');
    const asked = await press(/all 2 dividends/, list);
    expect(asked.content).toContain('$24.00 before tax − $3.60 = $20.40 after tax');
    const pressed = [press(/No tax/, asked), press(/No tax/, asked)];
    const answers = (await Promise.all(pressed)).map(({ content }) => content).toSorted();
    expect(answers[0]).toContain('There is no dividend left to record');
    expect(answers[1]).toMatch(
      /Recorded 2 dividends in \*\*main\*\*[^]*\$10\.00 before tax · 2026-03-10[^]*\$14\.00 before tax · 2026-09-10/u,
    );
    expect((await say('/portfolio')).content).not.toContain('not recorded');
    await say('/portfolio undo');
    expect((await say('/portfolio')).content).toContain('A dividend of 2026-09-10 is not recorded');
    expect((await say('/portfolio 배당확인 숨기기 전체', 'ko')).content).toContain('2건을 숨겼어요');
    for (const body of ['/portfolio', '/portfolio 배당 확인', '/portfolio 액면분할'])
      expect((await say(body)).content).not.toMatch(/not recorded|check yourself/);
    expect((await say('/portfolio actions dismiss all')).content).toContain('There is nothing open.');
  });
});
