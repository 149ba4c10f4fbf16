import type { Features } from '#src/features/open/open-features.ts';
import { asId, type InboxId, type UserId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { type Said, saidTo } from './said.ts';

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** In order: later calls speak of what earlier ones recorded. */
const CALLS: readonly Call[] = [
  ['get_quote', { symbols: ['005930', 'AAPL', 'BTC', 'KOSPI', 'JPY/KRW', 'TNX', 'GC=F'] }],
  ['get_history', { symbol: 'AAPL', range: '1y' }],
  ['get_history', { symbol: '삼성전자', range: '5d' }],
  ['get_history', { symbol: 'BTC', range: '1mo' }],
  ['get_history', { symbol: 'AAPL', from: '2026-11-10' }],
  ['get_history', { symbol: 'USD/KRW', from: '2026-11-03', to: '2026-11-10' }],
  ['get_indicators', { symbol: '삼성전자' }],
  ['get_indicators', { symbol: 'BTC' }],
  ['get_fundamentals', { symbol: '삼성전자' }],
  ['get_fundamentals', { symbol: 'AAPL' }],
  ['make_chart', { symbols: ['AAPL', '005930'], range: '3mo' }],
  ['compare', { symbols: ['005930', 'AAPL', 'TNX'], range: '1y' }],
  ['get_earnings_calendar', { symbols: ['AAPL', '005930'] }],
  ['get_market_overview', {}],
  ['get_market_hours', {}],
  ['get_news', { symbol: 'AAPL' }],
  ['search_symbol', { query: 'apple' }],
  ['convert_currency', { amount: '50000', from: 'JPY', to: 'KRW' }],
  ['calculate', { expression: '(304.12 - 261.3) / 261.3 * 100' }],
  ['calculate', { expression: 'pct(98700, 102300)' }],
  ['record_transaction', { kind: 'deposit', amount: '50000000', currency: 'KRW', date: '2026-01-02' }],
  [
    'record_transaction',
    { kind: 'buy', symbol: '005930', quantity: '120', price: '71200', date: '2026-01-05' },
  ],
  [
    'record_transaction',
    { kind: 'buy', symbol: 'AAPL', quantity: '31', price: '246.35', date: '2026-02-10', rate: '1438.2' },
  ],
  ['record_transaction', { kind: 'sell', symbol: 'AAPL', quantity: '2', price: '290', date: '2026-07-08' }],
  ['record_transaction', { kind: 'dividend', symbol: 'AAPL', amount: '8.06', date: '2026-05-15' }],
  ['get_portfolio', {}],
  ['analyze_portfolio', {}],
  [
    'plan_rebalance',
    {
      targets: [
        { name: 'AAPL', percent: 40 },
        { name: '005930', percent: 50 },
        { name: 'cash', percent: 10 },
      ],
      new_money: '1000000 KRW',
    },
  ],
  ['get_tax_report', { year: 2026 }],
  ['undo_transaction', { number: 1 }],
  ['set_alert', { symbol: 'AAPL', condition: 'above', value: '310' }],
  ['set_alert', { symbol: '005930', condition: 'rsi_below', value: '30' }],
  ['set_alert', { symbol: 'TSLA', condition: 'falls_percent', value: '5', fromNow: true }],
  ['list_alerts', {}],
  ['remove_alert', { which: 'AAPL' }],
  ['manage_watchlist', { action: 'add', names: ['NVDA', '035420'] }],
  ['manage_watchlist', { action: 'show' }],
  ['set_briefing', { action: 'set', time: '08:30' }],
];

/** What the tools tell the model on the sample market. The input stands for the words of the person that led to the call. */
export const sayTools = async ({ tools }: Features, locale: Locale): Promise<readonly Said[]> => {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const said: Said[] = [];
  for (const [index, [name, input]] of CALLS.entries()) {
    const context = toolContextOf({
      locale,
      userId: asId<UserId>(`caller-${locale}`),
      inboxId: asId<InboxId>(`call-${locale}-${index}`),
    });
    const result = await byName.get(name)?.invoke(input, context, new AbortController().signal);
    const to = `${name} ${JSON.stringify(input)} (${locale})`;
    if (!result || result.isError) throw new Error(`${to}: ${result?.content}`);
    said.push(
      saidTo(
        to,
        result,
        Object.values(input)
          .map((value) => JSON.stringify(value))
          .join('\n'),
      ),
    );
  }
  return said;
};
