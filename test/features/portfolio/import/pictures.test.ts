import { describe, expect, it } from 'vitest';
import { asksToImport } from '#src/features/portfolio/import/picture-words.ts';
import { confirmImportAnswer } from '#src/features/portfolio/import/confirm.ts';
import type { PictureForm, PictureRow } from '#src/features/portfolio/import/pictures/picture-form.ts';
import { pictureOf } from '#src/features/portfolio/import/pictures/read-broker-picture.ts';
import { previewAnswer } from '#src/features/portfolio/import/preview.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { brokerScreens } from '#test/support/broker-screens.ts';
import { recordingLogger } from '#test/support/context.ts';
import { pngOf } from '#test/support/pictures.ts';
import { openPortfolios } from '../service-support.ts';

const today = Temporal.PlainDate.from('2026-11-13');
const screens = brokerScreens(today.toString());
const check = (form: PictureForm) => pictureOf(form, today);

const holdings = (rows: readonly PictureRow[], totals: PictureForm['totals'] = []): PictureForm => ({
  kind: 'holdings',
  currency: 'KRW',
  rows: [...rows],
  totals,
});

const SAMSUNG: PictureRow = {
  name: '삼성전자',
  quantity: '10주',
  averagePrice: '71,000',
  price: '72,500',
  cost: '710,000',
  value: '725,000',
  gain: '+15,000',
  gainPercent: '+2.11%',
};
const KAKAO: PictureRow = { name: '카카오', quantity: '20', averagePrice: '47,400', cost: '948,000' };

/** The doubts of a single row, as short words. */
const doubtsOf = (row: PictureRow, totals?: PictureForm['totals']): readonly string[] =>
  (check(holdings([row], totals)).doubts.get(1) ?? []).map((doubt) =>
    doubt.kind === 'row' ? doubt.sum : doubt.kind,
  );

const tradeDoubts = (row: PictureRow) => check({ kind: 'trades', rows: [row] }).doubts.get(1) ?? [];

const findingsOf = (form: PictureForm): readonly string[] => check(form).findings.map(({ kind }) => kind);

/** A small generator, so that every run plants the same digits. */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

describe('the sums of a screenshot', () => {
  it('fit all forty drawn screens', () => {
    for (const { name, form } of screens) {
      expect([...check(form).doubts], name).toEqual([]);
      expect(new Set(findingsOf(form)), name).toEqual(new Set(['fits']));
    }
    expect(screens).toHaveLength(40);
  });

  it('catch at least 95 of 100 misread digits in the quantities and prices that would be recorded', () => {
    const random = randomFrom(7);
    const missed: string[] = [];
    let planted = 0;
    for (const { name, form } of screens)
      for (const [at, row] of form.rows.entries())
        for (const field of ['quantity', form.kind === 'trades' ? 'price' : 'averagePrice'] as const) {
          const text = row[field] ?? '';
          for (const { index, 0: digit } of text.matchAll(/\d/gu)) {
            const other = String((Number(digit) + 1 + Math.floor(random() * 9)) % 10);
            const misread = `${text.slice(0, index)}${other}${text.slice(index + 1)}`;
            const rows = form.rows.map((each) => (each === row ? { ...each, [field]: misread } : each));
            planted += 1;
            if (!check({ ...form, rows }).doubts.has(at + 1)) missed.push(`${name}: ${text} as ${misread}`);
          }
        }
    const rate = 1 - missed.length / planted;
    expect(planted).toBeGreaterThan(1_000);
    expect(rate, missed.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  it('name the number that does not fit', () => {
    expect(doubtsOf(SAMSUNG)).toEqual([]);
    expect(doubtsOf({ ...SAMSUNG, quantity: '11주' })).toEqual(['cost', 'value']);
    expect(doubtsOf({ ...SAMSUNG, averagePrice: '77,000' })).toEqual(['cost']);
    expect(doubtsOf({ ...SAMSUNG, gain: '-15,000' })).toEqual(['gain', 'percent']);
    expect(doubtsOf({ ...SAMSUNG, gainPercent: '+2.71%' })).toEqual(['percent']);
    expect(doubtsOf({ ...SAMSUNG, quantity: '1O주' })).toContain('unread');
  });

  it('allow for rounded averages, units of 만원, arrows and the costs of a sale', () => {
    const rounded = { ...SAMSUNG, quantity: '3', averagePrice: '70,667', cost: '212,000' };
    expect(doubtsOf({ name: '삼성전자', quantity: '3', averagePrice: '70,667', cost: '212,000' })).toEqual(
      [],
    );
    expect(check(holdings([rounded])).sheet.rows[1]?.cells).toContain('70666.666666666666667');
    expect(doubtsOf({ name: '삼성전자', quantity: '100', averagePrice: '71,000', cost: '710만원' })).toEqual(
      [],
    );
    expect(doubtsOf({ ...SAMSUNG, gain: '▲ 15,000' })).toEqual([]);
    expect(doubtsOf({ ...SAMSUNG, gain: '13,400', gainPercent: '1.88%' })).toEqual([]);
    expect(doubtsOf({ ...SAMSUNG, gain: '3,400', gainPercent: '0.47%' })).toEqual(['gain']);
  });

  it('do not trust a number that nothing else confirms', () => {
    const alone = { name: '삼성전자', quantity: '10', averagePrice: '71,000' };
    expect(doubtsOf(alone)).toEqual(['unchecked']);
    expect(doubtsOf(alone, [{ cost: '710,000' }])).toEqual([]);
    // The total confirms the cost of a row without an average price, but not its quantity.
    expect(doubtsOf({ name: '삼성전자', quantity: '10', cost: '710,000' }, [{ cost: '710,000' }])).toEqual([
      'unchecked',
    ]);
    // Dollars cannot be compared with won.
    expect(doubtsOf({ name: '애플', quantity: '10', averagePrice: '$190', cost: '2,600,000원' })).toEqual([
      'unchecked',
    ]);
  });

  it('tell a cut list from one that does not add up', () => {
    const rows = [SAMSUNG, KAKAO];
    expect(findingsOf(holdings(rows, [{ cost: '1,658,000' }]))).toEqual(['fits']);
    const cut = check(holdings(rows, [{ cost: '5,658,000', count: '5' }]));
    expect(cut.findings.map(({ kind }) => kind)).toEqual(['count', 'cut']);
    expect(cut.doubts.size).toBe(0);
    // Less than the rows: one of them is wrong, whichever it is.
    const over = check(holdings(rows, [{ cost: '1,058,000' }]));
    expect(over.findings.map(({ kind }) => kind)).toEqual(['differs']);
    expect([...over.doubts.values()].flat().map(({ kind }) => kind)).toEqual(['total', 'total']);
    expect(findingsOf(holdings([{ ...SAMSUNG, quantity: '11' }, KAKAO], [{ cost: '5,658,000' }]))).toEqual([
      'differs',
    ]);
  });

  it('hold for trades with fees and taxes', () => {
    const sale: PictureRow = {
      name: '삼성전자',
      side: '매도',
      date: '2026.11.10',
      quantity: '10',
      price: '72,500',
      value: '725,000',
      fee: '100',
      tax: '1,087',
      settled: '723,813',
      currency: 'KRW',
    };
    expect(tradeDoubts(sale)).toEqual([]);
    expect(tradeDoubts({ ...sale, fee: '700' })).toEqual([expect.objectContaining({ sum: 'settled' })]);
    expect(tradeDoubts({ ...sale, price: '12,500' })).toEqual([expect.objectContaining({ sum: 'amount' })]);
    const { value: _amount, ...settledOnly } = sale;
    expect(tradeDoubts(settledOnly)).toEqual([]);
    expect(tradeDoubts({ ...settledOnly, quantity: '1' })).toEqual([
      expect.objectContaining({ sum: 'amount' }),
    ]);
  });
});

const open = async (form: unknown) => {
  const all = await openPortfolios();
  const mina = all.requesterOf('mina', 'en');
  const { signal } = new AbortController();
  const preview = previewAnswer({
    ...all.deps,
    readMedia: async () => pngOf(4, 4),
    readPicture: async () => ({ status: 'read', form }),
    writeExport: async () => 'x',
    logger: recordingLogger().logger,
  });
  const files = [{ kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'a' }] as const;
  const sessionKey = asId<SessionKey>('agent:main:test:1:direct:mina');
  return {
    ...all,
    show: () => preview({ text: '', files, sessionKey }, mina, signal),
    confirm: (code: string, which: 'all' | 'valid' | 'doubted') =>
      confirmImportAnswer(all.deps)({ code, which }, mina, signal),
  };
};

const codeIn = (answer: { readonly choices?: readonly { readonly command: string }[] }): string =>
  answer.choices?.[0]?.command.split(' ').at(-2) ?? '';

describe('the preview of a screenshot', () => {
  it('says first what does not fit the totals', async () => {
    const { show } = await open(holdings([SAMSUNG, KAKAO], [{ cost: '1,058,000' }]));
    const { content, choices } = await show();
    expect(content.split('\n\n')[1]).toMatch(
      /^⚠️ The rows do not add up to the picture: the purchase amount is ₩1,058,000 there, but the rows make ₩1,658,000\./u,
    );
    expect(choices?.map(({ label }) => label)).toEqual(['Record 2, with 2 in doubt', expect.any(String)]);
  });

  it('doubts a row whose price is far from the market’s', async () => {
    const { show, prices } = await open(holdings([SAMSUNG]));
    prices.set('005930.KS', { price: '143000' });
    const { content } = await show();
    expect(content).toContain("the price on the picture, ₩72,500, is far from the market's ₩143,000 (hand,");
    prices.set('005930.KS', { price: '70000' });
    expect((await show()).content).not.toContain('in doubt');
  });

  it('is not recorded over positions that were recorded since', async () => {
    const { show, confirm, say } = await open(holdings([SAMSUNG]));
    const shown = await show();
    await say('/portfolio add 삼성전자 4 70000 2026-11-12 --yes', { locale: 'en' });
    const { content } = await confirm(codeIn(shown), 'all');
    expect(content).toMatch(
      /Nothing was recorded, because the portfolio has changed.*already recorded with another/u,
    );
  });

  it('keeps a sale in doubt if the purchase of its shares is', async () => {
    const trade = { name: '카카오', price: '47,400', currency: 'KRW' };
    const { show, confirm } = await open({
      kind: 'trades',
      rows: [
        { ...trade, side: '매수', date: '2026-11-09', quantity: '20', value: '948,100' },
        { ...trade, side: '매도', date: '2026-11-10', quantity: '5', value: '237,000', fee: '0', tax: '0' },
        { ...SAMSUNG, side: '매수', date: '2026-11-10', price: '72,500', value: '725,000', currency: 'KRW' },
      ],
    });
    const shown = await show();
    expect(shown.choices?.map(({ label }) => label)).toEqual([
      'Record the valid one',
      'Record 3, with 2 in doubt',
      expect.any(String),
    ]);
    expect(shown.content).toMatch(/- Row 2: Sold 5 .*: it only works if a row in doubt is recorded too\./u);
    expect((await confirm(codeIn(shown), 'all')).content).toContain('cannot be recorded');
    expect((await confirm(codeIn(shown), 'doubted')).content).toMatch(/\*\*3\*\*/u);
  });
});

describe('words beside a picture', () => {
  it.each([
    '이거 등록해줘',
    '이 화면 포트폴리오에 등록해 주세요!',
    '내 보유종목 등록 부탁드려요',
    '거래내역 가져와줘',
    'import this',
    'Please add these to my portfolio.',
    'record my trades',
  ])('ask for an import: %s', (text) => expect(asksToImport(text)).toBe(true));

  it.each([
    '',
    '이거 뭐야?',
    '관심종목에 추가해줘',
    '이걸 등록하면 어떻게 돼?',
    '삼성전자 알림 등록해줘',
    'what is this?',
    'import this and tell me what to sell',
    'add AAPL to my watchlist',
  ])('leave the picture to the model: %s', (text) => expect(asksToImport(text)).toBe(false));
});
