import { expect, it } from 'vitest';
import { ownCommandsFor } from '#src/features/intents/own-commands.ts';

const commands = (tool: string, input: Readonly<Record<string, unknown>>) =>
  ownCommandsFor([{ tool, input }]).map(({ command }) => command);

it.each([
  ['get_portfolio', {}, '/portfolio summary'],
  ['get_portfolio', { view: 'actions' }, '/portfolio actions'],
  ['analyze_portfolio', { range: '1y', benchmark: 'kospi' }, '/portfolio analysis 1y kospi'],
  ['get_tax_report', { year: 2025 }, '/portfolio tax 2025'],
  ['list_alerts', {}, '/alerts'],
  ['set_alert', { symbol: '삼성전자', condition: 'below', value: '80000' }, '/alert 삼성전자 below 80000'],
  ['manage_watchlist', { action: 'add', names: ['NVDA', 'TSLA'] }, '/watch add NVDA, TSLA'],
  ['manage_watchlist', { action: 'show' }, '/watch list'],
  ['set_briefing', { action: 'set', time: '08:30', days: 'weekdays' }, '/briefing 08:30 weekdays dm'],
  [
    'record_transaction',
    { kind: 'buy', symbol: 'AAPL', quantity: '10', price: '190.5', date: '2026-11-12' },
    '/portfolio buy AAPL 10 190.5 2026-11-12',
  ],
  ['undo_transaction', { number: 3 }, '/portfolio undo 3'],
  ['remove_alert', { which: 'AAPL' }, '/alert delete AAPL'],
])('a wish about own data can be said as a command: %s %j', (tool, input, command) => {
  expect(commands(tool, input)).toEqual([command]);
});

it.each([
  ['get_quote', { symbols: ['AAPL'] }],
  ['set_alert', { symbol: 'AAPL', condition: 'above', value: '200', repeat: true }],
  ['record_transaction', { kind: 'buy', symbol: 'AAPL', quantity: '10', price: '190.5', fee: '2' }],
  ['record_transaction', { kind: 'dividend', symbol: 'AAPL', amount: '10' }],
  ['set_briefing', { action: 'set', time: '08:30', names: ['AAPL'] }],
  ['plan_rebalance', {}],
])('a wish of which a command would say a part only has none: %s %j', (tool, input) => {
  expect(commands(tool, input)).toEqual([]);
});

it('one wish that has no command leaves all of them without, and records are guarded', () => {
  const undo = { tool: 'undo_transaction', input: {} };
  expect(ownCommandsFor([undo, { tool: 'plan_rebalance', input: {} }])).toEqual([]);
  expect(ownCommandsFor([undo, { tool: 'list_alerts', input: {} }])).toEqual([
    { command: '/portfolio undo', isGuarded: true },
    { command: '/alerts', isGuarded: false },
  ]);
});
