import { expect, it, onTestFinished } from 'vitest';
import type { AnthropicBody } from '#test/fakes/anthropic/body.ts';
import { answer, startEngineApp } from '#test/support/engine-app.ts';
import { expectRecorded, withoutIds } from './record.ts';

/** Calls of each tool as a model makes them, in this order: later ones see what earlier ones have stored. */
const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ['get_quote', { symbols: ['AAPL', '삼성전자'] }],
  ['get_quote', { symbols: ['삼성'] }],
  ['get_quote', { symbols: [] }],
  ['search_symbol', { query: 'samsung' }],
  ['get_history', { symbol: 'AAPL', range: '1mo' }],
  ['get_history', { symbol: '삼성전자', from: '2026-11-02', to: '2026-11-06' }],
  ['get_indicators', { symbol: 'AAPL' }],
  ['get_fundamentals', { symbol: 'AAPL' }],
  ['get_news', { symbol: 'AAPL', limit: 3 }],
  ['get_earnings_calendar', { symbols: ['NVDA'] }],
  ['get_market_overview', {}],
  ['get_market_overview', { of: 'crypto', currency: 'KRW' }],
  ['get_market_hours', { market: 'us' }],
  ['convert_currency', { amount: 100, from: 'USD', to: 'KRW' }],
  ['compare', { symbols: ['AAPL', 'MSFT'], range: '1y' }],
  ['make_chart', { symbols: ['AAPL'], range: '1y', indicators: ['rsi'] }],
  ['calculate', { expression: '2340000 * 0.15' }],
  ['calculate', { expression: '1 / 0' }],
  ['get_datetime', { timeZone: 'America/New_York' }],
  ['record_transaction', { kind: 'buy', symbol: 'AAPL', quantity: '10', price: '190.5', date: '2026-01-05' }],
  ['record_transaction', { kind: 'sell', symbol: 'AAPL', quantity: '40', price: '200' }],
  ['get_portfolio', {}],
  ['get_portfolio', { view: 'actions' }],
  ['analyze_portfolio', { range: '6mo' }],
  [
    'plan_rebalance',
    {
      targets: [
        { name: 'AAPL', percent: 60 },
        { name: 'cash', percent: 40 },
      ],
    },
  ],
  ['get_tax_report', { year: 2026 }],
  ['undo_transaction', {}],
  ['set_alert', { symbol: 'AAPL', condition: 'above', value: '300' }],
  ['list_alerts', {}],
  ['remove_alert', { which: 'AAPL' }],
  ['manage_watchlist', { action: 'add', names: ['TSLA'] }],
  ['manage_watchlist', { action: 'show' }],
  ['set_briefing', { action: 'set', time: '08:30', days: 'weekdays' }],
  ['set_briefing', { action: 'list' }],
  ['notify', { text: 'Look at Tesla', inMinutes: 30 }],
  ['read_skill', { name: 'stock-briefing' }],
  ['find_tools', { query: 'status' }],
  ['fetch_url', { url: 'http://127.0.0.1/' }],
  ['no_such_tool', {}],
];

const toolResult = (body: AnthropicBody | undefined): string => {
  const last = body?.messages.at(-1)?.content ?? [];
  const blocks = typeof last === 'string' ? [] : last;
  return blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => JSON.stringify(block, null, 1).replaceAll(String.raw`\n`, '\n'))
    .join('\n');
};

const systemText = ({ system = '' }: AnthropicBody): string =>
  typeof system === 'string' ? system : system.map(({ text }) => text).join('\n\n');

it('the model gets the recorded prompt, tools and results', { timeout: 120_000 }, async () => {
  const app = await startEngineApp({ config: { grounding: { mode: 'off' } } });
  onTestFinished(app.stop);
  const { claude } = app;
  claude.reply(answer('Hello.'));
  await app.ask('ann', 'Hello!');
  claude.reply(answer('안녕하세요.'));
  await app.ask('수민', '안녕!', { locale: 'ko' });
  const [english, korean] = claude.history.map(({ body }) => body);
  if (!english || !korean) throw new Error('The model was not asked');
  expect(systemText(korean)).toBe(systemText(english));
  await expectRecorded('model/prompt', withoutIds(systemText(english)));
  await expectRecorded('model/first-question', withoutIds(JSON.stringify(korean.messages, null, 1)));
  await expectRecorded('model/tools', JSON.stringify(english.tools, null, 1));

  const results: string[] = [];
  for (const [name, input] of CALLS) {
    claude.reply({ kind: 'answer', toolCalls: [{ name, input }] }, answer('Done.'));
    await app.ask('ann', `Use ${name}`);
    // What stores something asks first.
    if (toolResult(claude.history.at(-1)?.body) === '') await app.ask('ann', 'yes');
    const result = toolResult(claude.history.at(-1)?.body);
    expect(result, name).not.toBe('');
    results.push(`› ${name} ${JSON.stringify(input)}\n${result}`);
  }
  await expectRecorded('model/results', withoutIds(results.join('\n\n'), [/toolu_\w+/gu]));
});
