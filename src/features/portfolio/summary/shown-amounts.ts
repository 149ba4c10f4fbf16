import type { Decimal } from '#src/kernel/money.ts';
import { moneyPairs, moneyParts } from '#src/markets/answers/money-text.ts';
import { sumOf, ZERO } from '../ledger/fixed-point.ts';
import type { BaseGain } from '../ledger/ledger-state.ts';
import { shownGain } from '../entries/shown-gain.ts';
import type { PortfolioValue, ValuedHolding } from './portfolio-value.ts';

/** Holdings below these rows are summed up in one row. */
const MAX_ROWS = 20;

/** A listed holding with its amounts in the portfolio's currency, as far as they are known. */
export interface ShownHolding {
  readonly holding: ValuedHolding;
  readonly value: Decimal | undefined;
  readonly gain: BaseGain | undefined;
}

/** The sums of the holdings that are not listed, without those whose value or gain is unknown. */
interface OtherHoldings {
  readonly count: number;
  readonly value: Decimal | undefined;
  readonly gain: Decimal;
  readonly cost: Decimal;
}

export interface ShownAmounts {
  readonly listed: readonly ShownHolding[];
  readonly others: OtherHoldings | undefined;
  /** Of each currency. */
  readonly cash: readonly (Decimal | undefined)[];
}

const valuesOf = ({ holdings, cash, totals, state }: PortfolioValue) => {
  const [listed, others] = [holdings.slice(0, MAX_ROWS), holdings.slice(MAX_ROWS)];
  const rest = sumOf(others.map(({ worth }) => worth?.value.base));
  const shown = moneyParts(
    [...listed.map(({ worth }) => worth?.value.base ?? ZERO), rest, ...cash.map(({ base }) => base ?? ZERO)],
    totals.value,
    state.baseCurrency,
  );
  return {
    listed,
    others,
    values: listed.map(({ worth }, index) => worth?.value.base && shown[index]),
    rest: others.some(({ worth }) => worth?.value.base) ? shown[listed.length] : undefined,
    cash: cash.map(({ base }, index) => base && shown[listed.length + 1 + index]),
  };
};

const gainsOf = ({ holdings, state, totals }: PortfolioValue): readonly (BaseGain | undefined)[] => {
  const base = state.baseCurrency;
  const gains = holdings.map(({ worth }) => worth?.unrealised.base);
  const shown = moneyParts(
    gains.map((gain) => gain?.total ?? ZERO),
    totals.unrealised.total,
    base,
  );
  const parts = moneyPairs(
    gains.map((gain, index) => ({
      shown: shown[index] ?? ZERO,
      parts: [gain?.fromPrice ?? ZERO, gain?.fromFx ?? ZERO],
    })),
    shownGain(totals.unrealised, base).fromPrice,
    base,
  );
  return gains.map((gain, index) => {
    const [fromPrice = ZERO, fromFx = ZERO] = parts[index] ?? [];
    return gain && { total: shown[index] ?? ZERO, fromPrice, fromFx };
  });
};

/** The amounts of a summary in the portfolio's currency, rounded so that they add up to its totals. */
export const shownAmounts = (value: PortfolioValue): ShownAmounts => {
  const { listed, others, values, rest, cash } = valuesOf(value);
  const gains = gainsOf(value);
  const gained = others.filter(({ worth, position }) => worth?.unrealised.base && position.cost.base);
  return {
    listed: listed.map((holding, index) => ({ holding, value: values[index], gain: gains[index] })),
    others:
      others.length === 0
        ? undefined
        : {
            count: others.length,
            value: rest,
            gain: sumOf(gained.map(({ worth }) => worth?.unrealised.base?.total)),
            cost: sumOf(gained.map(({ position }) => position.cost.base?.abs())),
          },
    cash,
  };
};
