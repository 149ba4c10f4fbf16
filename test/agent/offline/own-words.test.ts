import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { offlineRules } from '#src/agent/offline/offline-provider.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';

const LINES = ['natural', 'portfolio', 'alerts', 'markets'].flatMap((name) =>
  readFileSync(join(import.meta.dirname, `../../golden/lines/${name}.txt`), 'utf8').split('\n'),
);

const saying = (text: string): readonly ConversationMessage[] => [
  { role: 'user', content: [{ type: 'text', text }] },
];

const rules = offlineRules(createReadSentence(createSymbolSearch()));

it('no wish about own things is passed over by the look at its words', async () => {
  const said = LINES.filter((line) => line !== '' && !line.startsWith('/'));
  const missed: string[] = [];
  let found = 0;
  for (const line of said) {
    const { own = [] } = await rules.readLastWords(saying(line), new AbortController().signal);
    if (own.length > 0) found += 1;
    if (own.length > 0 && !rules.speaksOfOwn(saying(line))) missed.push(line);
  }
  expect(found).toBeGreaterThan(20);
  expect(missed).toEqual([]);
});

it.each([
  'What is the difference between a limit order and a market order?',
  'What is the price of Apple?',
  '삼성전자 지금 얼마야?',
  'AAPL vs MSFT chart',
])('a question about markets is not read a second time: "%s"', (text) => {
  expect(rules.speaksOfOwn(saying(text))).toBe(false);
});
