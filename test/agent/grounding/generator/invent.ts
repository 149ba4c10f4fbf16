import type { Fact } from '#src/kernel/market/fact.ts';
import { type Part, say, type ValueSlot } from './draft.ts';
import { formsOf } from './forms.ts';
import { unitOfLastDigit, valueOf } from './printed.ts';
import type { Chances, Session } from './session.ts';

type Invention = readonly [ko: string, en: string, unit: string, metrics: readonly string[]];

/** Claims of the kind that models add from memory. `metrics`: where a tool said one of these, the claim is no invention. */
const INVENTIONS: readonly Invention[] = [
  ['목표주가는', 'price target is', '', []],
  ['적정 주가는', 'fair value is', '', []],
  ['PER은', 'P/E ratio is', 'x', ['peTrailing', 'peForward']],
  ['시가총액은', 'market cap is', 'cap', ['marketCap']],
  ['배당수익률은', 'dividend yield is', '%', ['dividendYield']],
  ['영업이익은', 'operating profit is', 'cap', []],
  ['RSI는', 'RSI is', 'points', ['rsi']],
  ['작년 매출 성장률은', 'revenue growth last year was', '%', ['revenueGrowth']],
];

const isNear = (value: number, unit: number, { value: known }: Fact): boolean =>
  Math.abs(Math.abs(Number(known)) - value) < unit * 1.001;

/** A further sentence with a number that no tool gave. */
export const invented = (
  { fact }: ValueSlot,
  { facts, instruments }: Session,
  chances: Chances,
): readonly [sentence: readonly Part[], number: ValueSlot] | undefined => {
  const of = instruments.find(({ symbol, assetClass }) => symbol === fact.entity && assetClass === 'equity');
  const own = facts.filter(({ entity }) => entity === fact.entity);
  const [ko, en, kind, metrics] = chances.pick(INVENTIONS);
  const price = own.find(({ metric }) => metric === 'price');
  if (!of || !price || own.some(({ metric }) => metrics.includes(metric))) return undefined;
  const unit = kind === '' || kind === 'cap' ? price.unit : kind;
  const random = 0.1 + chances.below(9_000) / 1_000;
  const value =
    kind === ''
      ? Number(price.value) * (1.1 + random / 10)
      : kind === 'cap'
        ? random * 3e12
        : random * (kind === 'x' ? 7 : 6);
  // The language of the answer does not matter here: half of them switch.
  const locale = chances.pick(['ko', 'en'] as const);
  const print = chances.pick(formsOf(unit === 'points' ? 'ratio' : unit, locale, value));
  const printed = print(value);
  if (!printed || facts.some((each) => isNear(valueOf(printed), unitOfLastDigit(printed), each)))
    return undefined;
  const slot: ValueSlot = {
    kind: 'value',
    fact: { ...price, value: String(value), unit },
    print,
    printed,
    sign: '',
  };
  return [
    locale === 'ko' ? say`\n${of.name.ko}의 ${ko} ${slot}입니다.` : say`\n${of.name.en}'s ${en} ${slot}.`,
    slot,
  ];
};
