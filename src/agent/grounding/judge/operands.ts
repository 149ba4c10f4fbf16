import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import { PORTFOLIO_METRICS } from '#src/kernel/market/metrics/portfolio-metrics.ts';
import { TAX_METRICS } from '#src/kernel/market/metrics/tax-metrics.ts';
import type { FactNumber, Pool } from '../facts/pool.ts';
import { isoOf, namesAt, type AnswerPlace, type ReadAnswer } from '../read/answer.ts';
import type { Operand } from './derive.ts';

const PAIR = /^(?<priced>[A-Z]{3})\/?(?<payer>[A-Z]{3})(?:=X)?$/u;
/** `KRW-BTC`, `BTC-USD`. */
const COIN = /^(?:KRW-(?<local>[A-Z]{2,6})|(?<abroad>[A-Z]{2,6})-USD)$/u;
const PRICES: ReadonlySet<MetricId> = new Set<MetricId>(['exchangeRate', 'price', 'close', 'previousClose']);

/** The currency or the coin of which the fact is the price. */
export const pricedBy = ({ metric, entity, kind }: FactNumber): string | undefined => {
  if (kind !== 'money' || !PRICES.has(metric)) return undefined;
  const { local, abroad } = COIN.exec(entity)?.groups ?? {};
  return local ?? abroad ?? PAIR.exec(entity)?.groups?.['priced'];
};

const operandOf = (fact: FactNumber, value = fact.value): Operand => ({
  value,
  kind: fact.kind,
  currency: fact.currency,
  text: fact.text,
  metric: fact.metric,
  entity: fact.entity,
  prices: pricedBy(fact),
});

/** In the decimals that people see, with which a model calculates. */
const printedOf = ({ value, kind, currency }: FactNumber): number => {
  const unit =
    kind !== 'money' || Math.abs(value) < 1 ? 0 : currency === 'KRW' || currency === 'JPY' ? 1 : 100;
  return unit === 0 ? value : Math.round(value * unit) / unit;
};

const COMPARED: ReadonlySet<MetricId> = new Set<MetricId>([
  'price',
  'previousClose',
  'averageCost',
  'quantity',
  'marketValue',
  'cost',
  'change',
  'yearHigh',
  'yearLow',
  'periodHigh',
  'periodLow',
  'cashValue',
  'totalValue',
]);
/** What can be added up over holdings. */
const OWN: Readonly<Record<string, unknown>> = { ...PORTFOLIO_METRICS, ...TAX_METRICS };
const SERIES: ReadonlySet<MetricId> = new Set<MetricId>([
  'close',
  'open',
  'periodHigh',
  'periodLow',
  'volume',
]);
/** Yen are quoted by the hundred. */
const HUNDRED = 100;
const MAX_OF_ENTITY = 48;
const MAX_NAMED = 4;
const MAX_OF_METRIC = 40;
const MAX_PORTFOLIOS = 2;
const MAX_RATES = 6;
const MAX_ENTITIES = 16;
const MAX_FACTS = 150;

const keyOf = ({ metric, kind, currency, known }: FactNumber): string =>
  `${metric} ${kind} ${currency} ${known.fact.parameter ?? ''} ${known.fact.period ?? ''} ${known.fact.label ?? ''}`;

/** The first, the last, the lowest and the highest of a series, and those of the days that the answer names. */
const pointsOf = (series: readonly FactNumber[], days: ReadonlySet<string>): readonly FactNumber[] => {
  if (series.length <= 4) return series;
  const bySize = series.toSorted((a, b) => a.value - b.value);
  const byDay = series.toSorted((a, b) => ((a.days[0] ?? '') < (b.days[0] ?? '') ? -1 : 1));
  return [
    ...new Set([
      ...byDay.slice(-2),
      ...byDay.slice(0, 1),
      ...bySize.slice(0, 1),
      ...bySize.slice(-1),
      ...series.filter((fact) => fact.days.some((day) => days.has(day))),
    ]),
  ];
};

/** The newest facts of one subject, each kind of thing once, and the telling points of its series. */
const factsOf = (facts: readonly FactNumber[], days: ReadonlySet<string>): readonly FactNumber[] => {
  const series = facts.filter(({ metric }) => SERIES.has(metric));
  const newest = new Map(
    facts
      .filter(({ metric, kind }) => !SERIES.has(metric) && kind !== 'date')
      .map((fact) => [keyOf(fact), fact]),
  );
  const points = [...Map.groupBy(series, keyOf).values()].flatMap((each) => pointsOf(each, days));
  return [...points, ...newest.values()].slice(-MAX_OF_ENTITY);
};

/** What the numbers of one answer may be calculated from, beside the numbers of the answer itself. */
export class FactOperands {
  readonly #answer: ReadAnswer;
  readonly #pool: Pool;
  readonly #days: ReadonlySet<string>;
  readonly #ofEntity = new Map<string, readonly Operand[]>();
  #totals: readonly Operand[] | undefined;
  #byMetric: readonly (readonly Operand[])[] | undefined;
  #all: readonly Operand[] | undefined;
  #prices: readonly Operand[] | undefined;
  #rates: readonly Operand[] | undefined;

  constructor(answer: ReadAnswer, pool: Pool) {
    this.#answer = answer;
    this.#pool = pool;
    this.#days = new Set(answer.dates.flatMap(({ days }) => days.map(isoOf)));
  }

  /** Whom a number may be about. */
  subjectsAt(place: AnswerPlace): readonly string[] {
    const named = [...new Set(namesAt(this.#answer, place).flatMap(({ value }) => value))];
    const all = [...this.#pool.byEntity.keys()];
    if (named.length === 0 && all.length <= MAX_NAMED) return all;
    const own = all.filter((entity) => entity.startsWith('portfolio:')).slice(0, MAX_PORTFOLIOS);
    return [...new Set([...named.slice(0, MAX_NAMED), ...own])];
  }

  /** The facts of one subject. */
  of(entity: string): readonly Operand[] {
    return this.#ofEntity.getOrInsertComputed(entity, () =>
      factsOf(this.#pool.byEntity.get(entity) ?? [], this.#days).flatMap((fact) => {
        const printed = printedOf(fact);
        return printed === fact.value ? [operandOf(fact)] : [operandOf(fact), operandOf(fact, printed)];
      }),
    );
  }

  /** What a number about one subject is mostly compared with. */
  pricesOf(entity: string): readonly Operand[] {
    return this.of(entity).filter(({ metric }) => metric !== undefined && COMPARED.has(metric));
  }

  /** The same of all subjects. */
  allPrices(): readonly Operand[] {
    this.#prices ??= [...this.#pool.byEntity.keys()]
      .slice(0, MAX_ENTITIES)
      .flatMap((entity) => this.pricesOf(entity));
    return this.#prices;
  }

  /** The facts of the first subjects. */
  all(): readonly Operand[] {
    this.#all ??= [...this.#pool.byEntity.keys()]
      .slice(0, MAX_ENTITIES)
      .flatMap((entity) => this.of(entity))
      .slice(0, MAX_FACTS);
    return this.#all;
  }

  /** Exchange rates, by one unit and by the hundred. */
  rates(): readonly Operand[] {
    this.#rates ??= [
      ...new Map(
        this.#pool.facts
          .filter((fact) => pricedBy(fact) !== undefined)
          .map((fact) => [`${fact.entity} ${fact.metric}`, fact]),
      ).values(),
    ]
      .slice(-MAX_RATES)
      .flatMap((fact) =>
        fact.entity.startsWith('JPY')
          ? [operandOf(fact), operandOf(fact, fact.value / HUNDRED)]
          : [operandOf(fact)],
      );
    return this.#rates;
  }

  /** The newest values of the same metric of several subjects. */
  byMetric(): readonly (readonly Operand[])[] {
    if (!this.#byMetric) {
      const newest = new Map(
        this.#pool.facts
          .filter(({ kind }) => kind !== 'date')
          .map((fact) => [`${fact.entity} ${keyOf(fact)}`, fact]),
      );
      this.#byMetric = [...Map.groupBy(newest.values(), keyOf).values()]
        .filter((facts) => facts.length > 1)
        .map((facts) => facts.slice(0, MAX_OF_METRIC).map((fact) => operandOf(fact)));
    }
    return this.#byMetric;
  }

  /** The sums of what several subjects have of one metric, such as the cost of all holdings. */
  totals(): readonly Operand[] {
    this.#totals ??= this.byMetric()
      .filter(([first]) => first?.kind === 'money' && first.metric !== undefined && first.metric in OWN)
      .flatMap((all) => {
        const [first] = all;
        if (!first) return [];
        return [
          {
            ...first,
            entity: undefined,
            value: all.reduce((sum, { value }) => sum + value, 0),
            text: all.map(({ text }) => text).join(' + '),
          },
        ];
      });
    return this.#totals;
  }
}
