import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { deriveLedger } from '#src/features/portfolio/ledger/derive-ledger.ts';
import { buy, SAMSUNG, sell, split, stateOf } from '../ledger/ledger-entries.ts';
import { openOnFriday, openPortfolios } from '../service-support.ts';
import { missingNumbers } from '#test/support/printed-numbers.ts';

const at = (time: string) => ({ time: Temporal.PlainTime.from(time) });

const figure = (facts: readonly Fact[] = [], metric: string, entity?: string): number =>
  Number(facts.find((fact) => fact.metric === metric && (entity ?? fact.entity) === fact.entity)?.value ?? 0);

describe('the order of entries within a day', () => {
  it('is that of recording: what is bought back after a sale costs what was paid for it', async () => {
    const { sayKo, say } = await openOnFriday();
    await sayKo('/portfolio 매수 삼성전자 10주 100,000원 2026-11-02 --yes');
    const sold = await sayKo('/portfolio 매도 삼성전자 10주 120,000원 2026-11-10 세금 0 --yes');
    expect(sold.content).toContain('이번 손익 +₩200,000');
    const bought = await sayKo('/portfolio 매수 삼성전자 10주 110,000원 2026-11-10 --yes');
    expect(bought.content).toMatch(/지금 10주, 평단 ₩110,000/);
    expect((await sayKo('/portfolio 자세히')).content).toContain('실현손익: +₩200,000');
    // One for an earlier time of that day changes what was told, and says so.
    const before = await say('/portfolio add 005930 10 110,000 2026-11-10 --time=09:05 --yes');
    expect(before.content).toContain('2026-11-10 09:05');
    expect(before.content).toContain('#2 +₩200,000 → +₩150,000');
    const undone = await say('/portfolio undo 4');
    expect(undone.content).toContain('#2 +₩150,000 → +₩200,000');
    expect([before, undone].flatMap(missingNumbers)).toEqual([]);
    expect((await say('/portfolio history')).content).toMatch(/#3[^]*#2[^]*#4[^]*#1/);
  });

  it('goes by the time where one is known, and a split without a time comes before all of its day', () => {
    const entries = [
      { ...sell('2026-01-06', SAMSUNG, '4', '150'), ...at('15:00') },
      { ...buy('2026-01-06', SAMSUNG, '4', '100'), ...at('09:00') },
      split('2026-01-06', SAMSUNG, '2'),
      buy('2026-01-05', SAMSUNG, '2', '160'),
    ];
    // Two at 160 are four at 80; four more at 100.
    const [position] = stateOf(entries).positions;
    expect([position?.quantity.toFixed(), position?.realised.local.toFixed()]).toEqual(['4', '240']);
    const timed = entries.map((entry) => (entry.kind === 'split' ? { ...entry, ...at('12:00') } : entry));
    expect(stateOf(timed).positions[0]?.quantity.toFixed()).toBe('8');
  });

  it('lets a sale that is written before its purchase wait for it, and for no other', () => {
    const entries = [
      sell('2026-01-05', SAMSUNG, '10', '120'),
      buy('2026-01-05', SAMSUNG, '10', '100'),
      buy('2026-01-05', SAMSUNG, '10', '110'),
    ];
    const [position] = stateOf(entries).positions;
    expect([position?.realised.local.toFixed(), position?.cost.local.toFixed()]).toEqual(['200', '1100']);
    expect(
      atOnce(
        deriveLedger([...entries, sell('2026-01-05', SAMSUNG, '11', '120')], {
          baseCurrency: 'KRW',
          method: 'average',
          allowsShort: false,
        }),
      ),
    ).toMatchObject({ status: 'refused', problem: { kind: 'oversold' } });
  });

  it('keeps what was told of each entry true, whatever is recorded after it', async () => {
    const anyStep = fc.record({
      isBuy: fc.boolean(),
      symbol: fc.constantFrom('AAPL', 'MSFT'),
      quantity: fc.integer({ min: 1, max: 9 }),
      price: fc.integer({ min: 1, max: 400 }),
      isNextDay: fc.integer({ min: 0, max: 3 }).map((pick) => pick === 0),
    });
    const { service, requesterOf, prices } = await openPortfolios();
    prices.set('AAPL', { price: '300' });
    prices.set('MSFT', { price: '300' });
    let people = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 6, maxLength: 10, size: 'max' }), async (steps) => {
        people += 1;
        const requester = { ...requesterOf(`person-${people}`, 'en'), timeZone: 'America/New_York' };
        const signal = new AbortController().signal;
        const held = new Map<string, number>();
        const averages = new Map<string, number>();
        let told = 0;
        let day = Temporal.PlainDate.from('2026-11-02');
        for (const [index, { isBuy, symbol, quantity, price, isNextDay }] of steps.entries()) {
          if (isNextDay) day = day.add({ days: 1 });
          const inHand = held.get(symbol) ?? 0;
          const isPurchase = isBuy || inHand === 0;
          const pieces = isPurchase ? quantity : Math.min(quantity, inHand);
          const request: RecordRequest = {
            kind: isPurchase ? 'buy' : 'sell',
            name: symbol,
            quantity: String(pieces),
            price: String(price),
            date: day.toString(),
            isSure: true,
          };
          const { facts, content } = await service.record(
            request,
            { ...requester, requestId: `${people}-${index}` },
            signal,
          );
          expect(content).toContain(`#${index + 1}`);
          held.set(symbol, inHand + (isPurchase ? pieces : -pieces));
          expect(figure(facts, 'quantity', symbol)).toBe(held.get(symbol));
          averages.set(symbol, figure(facts, 'averageCost', symbol));
          told += figure(facts, 'realisedGain', symbol);
        }
        const { facts } = await service.summary({ isDrawn: false, isDetailed: true }, requester, signal);
        expect(figure(facts, 'realisedGain')).toBeCloseTo(told, 6);
        for (const [symbol, pieces] of held)
          if (pieces > 0) expect(figure(facts, 'averageCost', symbol)).toBe(averages.get(symbol));
      }),
      { numRuns: 8 },
    );
  });
});
