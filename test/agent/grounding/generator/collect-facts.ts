import type { KnownFact } from '#src/agent/grounding/facts/evidence.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { openSampleFeatures } from '../sample-features.ts';

/** What one call of a tool said. */
export interface ToolFacts {
  readonly tool: string;
  /** Instruments that the call was about. */
  readonly symbols: readonly string[];
  readonly facts: readonly KnownFact[];
}

export interface Collected {
  readonly calls: readonly ToolFacts[];
  readonly instruments: ReadonlyMap<string, Instrument>;
}

const SHARES = ['005930', '000660', '005380', 'AAPL', 'MSFT', 'NVDA'];
const RANGES = ['5d', '1mo', '3mo', '1y', 'ytd'];
const DAYS = ['2026-11-12', '2026-11-10'];

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>, ...names: string[]];

/** The person's own numbers: none of them is a price of the sample market. */
const CALCULATIONS = [
  '83417 * 17',
  '(5127.4 - 4318.9) / 4318.9 * 100',
  '1273000 / 1389.7',
  '(913.4 + 417.2 + 651.8) / 3',
  '12345678 * 1.045 ^ 8',
  '37 * 0.154',
];

const LEDGER: readonly Readonly<Record<string, string>>[] = [
  { kind: 'deposit', amount: '50000000', currency: 'KRW', date: '2026-01-02' },
  { kind: 'buy', symbol: '005930', quantity: '120', price: '71200', date: '2026-01-05' },
  { kind: 'buy', symbol: '005930', quantity: '37', price: '83400', date: '2026-05-12' },
  { kind: 'buy', symbol: '000660', quantity: '14', price: '655000', date: '2026-09-14' },
  { kind: 'buy', symbol: '035420', quantity: '23', price: '241500', date: '2026-03-17' },
  { kind: 'buy', symbol: 'AAPL', quantity: '31', price: '246.35', date: '2026-02-10', rate: '1438.2' },
  { kind: 'buy', symbol: 'TSLA', quantity: '9', price: '471.8', date: '2026-08-20', rate: '1391.4' },
  { kind: 'sell', symbol: '035420', quantity: '6', price: '259000', date: '2026-07-08' },
  { kind: 'dividend', symbol: 'AAPL', amount: '8.06', date: '2026-05-15' },
];

const marketCalls = (): readonly Call[] => {
  const all = [...SHARES, 'BTC', 'KOSPI', 'USD/KRW'];
  return [
    ...all.map((name): Call => ['get_quote', { symbols: [name] }, name]),
    ...all.flatMap((name, index): readonly Call[] =>
      // Not every range of every instrument: a conversation has some of them.
      RANGES.filter((_, at) => (at + index) % 2 === 0).map((range) => [
        'get_history',
        { symbol: name, range },
        name,
      ]),
    ),
    ...all.flatMap((name): readonly Call[] =>
      DAYS.map((from) => ['get_history', { symbol: name, from }, name]),
    ),
    ...all.map((name): Call => ['get_indicators', { symbol: name }, name]),
    ...SHARES.map((name): Call => ['get_fundamentals', { symbol: name }, name]),
    ...SHARES.slice(0, -1).flatMap((name, index): readonly Call[] => {
      const other = SHARES[index + 1] ?? name;
      return [['compare', { symbols: [name, other], range: index % 2 === 0 ? '1y' : '3mo' }, name, other]];
    }),
    ['convert_currency', { amount: '1250', from: 'USD', to: 'KRW' }, 'USD/KRW'],
    ['convert_currency', { amount: '3000000', from: 'KRW', to: 'USD' }, 'USD/KRW'],
    ['convert_currency', { amount: '480', from: 'EUR', to: 'USD' }, 'EUR/USD'],
    ['convert_currency', { amount: '50000', from: 'JPY', to: 'KRW' }, 'JPY/KRW'],
    ...CALCULATIONS.map((expression): Call => ['calculate', { expression }]),
  ];
};

/** Asks the tools of the program for what the sample market has, and a recorded portfolio for its state. */
export const collectFacts = async (): Promise<Collected> => {
  const { features, close } = await openSampleFeatures();
  const context = toolContextOf({ locale: 'ko' });
  const tools = new Map(features.tools.map((tool) => [tool.definition.name, tool]));
  const instruments = new Map<string, Instrument>();
  const symbolOf = (name: string): readonly string[] => {
    const match = features.symbols.resolve(name);
    if (match.status !== 'found') throw new Error(`${name} is ${match.status}`);
    instruments.set(match.instrument.symbol, match.instrument);
    return [match.instrument.symbol];
  };
  const ask = async ([tool, input, ...names]: Call): Promise<ToolFacts> => {
    // Before the tool answers, so that the order of the instruments is the same in each run.
    const symbols = names.flatMap(symbolOf);
    const result = await tools.get(tool)?.invoke(input, context, new AbortController().signal);
    if (!result || result.isError) throw new Error(`${tool} ${JSON.stringify(input)}: ${result?.content}`);
    return {
      tool,
      symbols,
      facts: (result.facts ?? []).map((fact) => ({ fact, tool })),
    };
  };
  try {
    const calls = await Promise.all(marketCalls().map(ask));
    for (const [index, entry] of LEDGER.entries()) {
      const own = { ...context, inboxId: asId<InboxId>(`inbox-${index}`) };
      const result = await tools.get('record_transaction')?.invoke(entry, own, new AbortController().signal);
      if (!result || result.isError) throw new Error(`record ${JSON.stringify(entry)}: ${result?.content}`);
    }
    const own = await Promise.all(
      (
        [
          ['get_portfolio', {}],
          ['analyze_portfolio', {}],
        ] satisfies readonly Call[]
      ).map(ask),
    );
    return { calls: [...calls, ...own], instruments };
  } finally {
    await close();
  }
};
