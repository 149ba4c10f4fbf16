import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { valuePosition } from '#src/features/portfolio/summary/portfolio-value.ts';
import {
  anyAmount,
  anyEntries,
  anyLedger,
  anyRate,
  anyRules,
  anyTrade,
  dayOf,
  isPaid,
  moved,
  ofSymbol,
  paidFor,
  rateOf,
  recorded,
  RUNS,
  same,
  sum,
} from './ledger-arbitrary.ts';
import { APPLE, buy, plain, SAMSUNG, sell, stateOf, TOYOTA, Wide } from './ledger-entries.ts';

describe('whatever was recorded', () => {
  it('holds what was bought less what was sold, times the splits in between', () => {
    fc.assert(
      fc.property(anyLedger, ({ entries, rules }) => {
        for (const { instrument, quantity } of stateOf(entries, rules).positions) {
          const own = ofSymbol(entries, instrument.symbol);
          let held = new Wide(0);
          for (const day of [...new Set(own.map(dayOf))].toSorted()) {
            const today = own.filter((entry) => dayOf(entry) === day);
            const ratios = today.flatMap((entry) => (entry.kind === 'split' ? [entry.ratio] : []));
            // Each is rounded, so their order counts.
            for (const ratio of ratios) held = held.times(ratio).toDecimalPlaces(18);
            for (const entry of today) {
              if (entry.kind === 'buy' || entry.kind === 'rights') held = held.plus(entry.quantity);
              if (entry.kind === 'sell' || entry.kind === 'cash-in-lieu')
                held = held.minus(entry.quantity ?? 0);
            }
          }
          same(quantity, held);
        }
      }),
      RUNS,
    );
  });

  it('costs what was paid, less what was got for it and not gained, in both currencies', () => {
    fc.assert(
      fc.property(anyLedger, ({ entries, rules }) => {
        for (const { instrument, cost, realised } of stateOf(entries, rules).positions) {
          const own = ofSymbol(entries, instrument.symbol);
          const paid = own.flatMap((entry): readonly { entry: NewTransaction; paid: Decimal }[] => {
            if (isPaid(entry)) return [{ entry, paid: paidFor(entry) }];
            return entry.kind === 'cash-in-lieu' ? [{ entry, paid: entry.amount.negated() }] : [];
          });
          same(cost.local, sum(paid.map((each) => each.paid)).plus(realised.local));
          const paidBase = paid.map((each) => new Wide(each.paid).times(rateOf(each.entry, rules)));
          same(cost.base, sum(paidBase).plus(realised.base?.total ?? Number.NaN));
          same(realised.base?.total, sum([realised.base?.fromPrice, realised.base?.fromFx]));
          if (instrument.currency === rules.baseCurrency) same(realised.base?.fromFx, new Wide(0));
        }
      }),
      RUNS,
    );
  });

  it('has in each currency what came less what went, from the day of the first money entry on', () => {
    fc.assert(
      fc.property(anyLedger, ({ entries, rules }) => {
        const { cashSince, cash } = stateOf(entries, rules);
        const [firstDay] = entries
          .filter(({ kind }) => ['deposit', 'withdrawal', 'fx'].includes(kind))
          .map(dayOf)
          .toSorted();
        expect(cashSince?.toString()).toBe(firstDay);
        const counted = entries.filter((entry) => firstDay !== undefined && dayOf(entry) >= firstDay);
        for (const { currency, amount } of cash)
          same(amount, sum(counted.map((entry) => moved(entry, currency))));
        const named = counted.flatMap((entry) =>
          entry.kind === 'fx'
            ? [entry.currency, entry.toCurrency]
            : entry.kind === 'split'
              ? []
              : [entry.currency],
        );
        expect(cash.map(({ currency }) => currency)).toEqual([...new Set(named)].toSorted());
      }),
      RUNS,
    );
  });

  it('is worth, at any prices and rates, what was put in and all that was gained', () => {
    const anyMarket = fc.record({
      SAMSUNG: anyAmount,
      APPLE: anyAmount,
      TOYOTA: anyAmount,
      KRW: anyRate,
      USD: anyRate,
      JPY: anyRate,
    });
    fc.assert(
      fc.property(anyLedger, anyMarket, ({ entries, rules }, market) => {
        const { positions, cash, flows, accountFees, accountTaxes, interest } = stateOf(entries, rules);
        const rates = new Map(Object.entries({ ...market, [rules.baseCurrency]: '1' }));
        const rateNow = (currency: Currency): Decimal => new Wide(rates.get(currency) ?? Number.NaN);
        const prices = new Map([
          [SAMSUNG.symbol, market.SAMSUNG],
          [APPLE.symbol, market.APPLE],
          [TOYOTA.symbol, market.TOYOTA],
        ]);
        const valued = positions.map((position) => ({
          ...position,
          ...valuePosition(
            position,
            new Decimal(prices.get(position.instrument.symbol) ?? Number.NaN),
            rateNow(position.instrument.currency),
          ),
        }));
        for (const { quantity, value, unrealised, instrument } of valued) {
          same(value.local, new Wide(quantity).times(prices.get(instrument.symbol) ?? Number.NaN));
          same(value.base, new Wide(value.local).times(rateNow(instrument.currency)));
          same(unrealised.base?.total, sum([unrealised.base?.fromPrice, unrealised.base?.fromFx]));
        }
        const cashValue = sum(cash.map(({ amount, currency }) => rateNow(currency).times(amount)));
        const worth = sum(valued.map(({ value }) => value.base)).plus(cashValue);
        const cashGain = sum(cash.map(({ realisedFx }) => realisedFx))
          .plus(cashValue)
          .minus(sum(cash.map(({ costBase }) => costBase)));
        const gains = valued.flatMap(({ realised, unrealised, dividends }) => [
          realised.base?.total,
          unrealised.base?.total,
          dividends.base,
        ]);
        const gained = sum(gains)
          .plus(sum(interest.map(({ total }) => total.base)))
          .minus(sum([...accountFees, ...accountTaxes].map(({ total }) => total.base)))
          .plus(cashGain);
        same(worth, sum(flows.map(({ base }) => base)).plus(gained));
      }),
      RUNS,
    );
  });

  it('comes to the same by both methods once everything is closed', () => {
    fc.assert(
      fc.property(anyEntries, anyRules, anyTrade, (entries, some, [, , , price, terms]) => {
        const rules = { ...some, allowsShort: true };
        const kept = recorded(entries, rules);
        const closing = stateOf(kept, rules).positions.flatMap(({ instrument, quantity }) => {
          const close = quantity.isNegative() ? buy : sell;
          return quantity.isZero()
            ? []
            : [close('2026-02-01', instrument, quantity.abs().toFixed(), price, terms)];
        });
        const [average, fifo] = (['average', 'fifo'] as const).map((method) => {
          const state = stateOf([...kept, ...closing], { ...rules, method });
          expect(
            state.positions.every(
              ({ quantity, cost }) => quantity.isZero() && cost.local.isZero() && cost.base?.isZero(),
            ),
          ).toBe(true);
          const gains = state.positions.map(({ realised }) => [realised.local, realised.base?.total]);
          return plain([gains, state.cash, state.flows, state.fees, state.taxes]);
        });
        expect(fifo).toEqual(average);
      }),
      RUNS,
    );
  });
});
