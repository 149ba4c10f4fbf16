import { describe, expect, it } from 'vitest';
import { compactContext } from '#src/agent/memory/window/compaction.ts';
import { identifiersIn } from '#src/agent/memory/window/identifiers.ts';
import type { Summarizer } from '#src/agent/memory/window/summarize.ts';
import { evaluateContextWindow, measureContext } from '#src/agent/memory/window/context-window.ts';
import { estimateMessage } from '#src/agent/tokens.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import {
  answered,
  called,
  depsOf,
  entriesOf,
  failing,
  messagesOf,
  problemsOf,
  resulted,
  said,
  summarizerOf,
  wordsOf,
} from './support.ts';

const WINDOW = 32_000;
const RESERVE = 4_000;
const TURNS = 300;
/** Enough for a model that never sums anything up: its memory has reached its final size long before. */
const FEWER_TURNS = 120;
const SYSTEM_PROMPT = 'You are a financial assistant. '.repeat(500);
const TARGET = 9_000;

const TICKERS = ['AAPL', 'NVDA', 'TSLA', 'MSFT', '005930', '000660', 'GOOGL', 'AMZN'];

/** Every turn names a stock and a price that no other turn names. */
const wordsOfTurn = (turn: number): string => {
  if (turn === 3) return '기억해 줘: BRK.B를 482.35달러에 7주 샀고, 목표가는 $555.75야.';
  const ticker = TICKERS[turn % TICKERS.length];
  const words = `${ticker} 어떻게 생각해? ${(10_000 + turn * 37).toLocaleString('en')}원이면 살까 하는데.`;
  return turn % 3 === 0 ? `${words} 그리고 요즘 시장 분위기도 궁금해.\n오늘 날씨도 좋네.` : words;
};

const talkOfTurn = (turn: number): readonly ConversationMessage[] => [
  said(wordsOfTurn(turn)),
  called(`q${turn}`),
  resulted(`price line ${turn} ${'0123456789 '.repeat(200)}`, `q${turn}`),
  answered(`${turn}번째 답입니다. ${'시장은 오늘 조금 올랐고 거래량은 평소와 비슷합니다. '.repeat(8)}`),
];

/** Lives through the whole conversation as the engine would: looks before every call, compacts when it is time. */
const live = async (summarizer: Summarizer | undefined, turns: number) => {
  const { deps, seen } = depsOf(summarizer);
  let messages: readonly ConversationMessage[] = [];
  let compactions = 0;
  let fullest = 0;
  const compactIfNeeded = async (): Promise<void> => {
    const measure = measureContext({ systemPrompt: SYSTEM_PROMPT, tools: [], messages }, (tokens) => tokens);
    const state = evaluateContextWindow(measure, WINDOW, {
      warningThreshold: 0.7,
      criticalThreshold: 0.85,
      reserveTokens: RESERVE,
    });
    if (state.compactionNeeded) {
      const result = await compactContext(
        entriesOf(messages),
        { strategy: 'hybrid', targetTokens: TARGET, preserveRecentMessages: 6 },
        deps,
        new AbortController().signal,
      );
      expect(result.afterTokens).toBeLessThanOrEqual(TARGET);
      messages = messagesOf(result.compactedEntries);
      compactions += 1;
      expect(problemsOf(messages)).toEqual([]);
    }
    const tokens = messages.reduce((sum, message) => sum + estimateMessage(message), 0);
    fullest = Math.max(fullest, tokens + measure.breakdown.systemPrompt);
  };
  for (let turn = 1; turn <= turns; turn += 1) {
    const [question, call, result, answer] = talkOfTurn(turn);
    if (!question || !call || !result || !answer) throw new Error('a turn has four messages');
    messages = [...messages, question];
    await compactIfNeeded();
    messages = [...messages, call, result];
    await compactIfNeeded();
    messages = [...messages, answer];
  }
  return { messages, compactions, fullest, seen };
};

const rubbish = summarizerOf(() => 'The user and the assistant talked about various things.');

/** Keeps what was asked for, shortly: the lines with a number, without the small talk. */
const good = summarizerOf((asked) => {
  const lines = asked
    .split('\n')
    .filter((line) => identifiersIn(line).size > 0 && !/price line|번째|^time:/.test(line));
  const short = lines.map((line) =>
    line.replace(/^- /, '').replace(/ 어떻게 생각해\?|이면 살까 하는데\.|그리고 .*$/g, ''),
  );
  return [...new Set(short)].map((line) => `- ${line}`).join('\n');
});

const tooLong = summarizerOf((asked) => `${asked}\n${asked}`);

describe('a conversation of hundreds of turns in a window of 32,000 tokens', () => {
  it.each([
    [TURNS, 'no model', undefined],
    [FEWER_TURNS, 'a model that always fails', failing],
    [FEWER_TURNS, 'a model that returns rubbish', rubbish],
    [FEWER_TURNS, 'a model that returns nothing', summarizerOf(() => ' \n')],
    [FEWER_TURNS, 'a model that repeats everything', tooLong],
    [TURNS, 'a good model', good],
  ] as const)(
    'never overflows in %i turns, and keeps what was said in the third, with %s',
    async (turns, _what, summarizer) => {
      const { messages, compactions, fullest } = await live(summarizer, turns);
      expect(compactions).toBeGreaterThan(turns / 20);
      expect(compactions).toBeLessThan(turns / 5);
      expect(fullest).toBeLessThanOrEqual(WINDOW - RESERVE);
      const memory = wordsOf(messages[0] ?? said(''));
      expect(memory).toContain(wordsOfTurn(3));
      // The newest question is there as it was asked.
      expect(messages.some((message) => wordsOf(message).includes(wordsOfTurn(turns)))).toBe(true);
      // And the middle of the conversation is not lost altogether.
      const prices = [...identifiersIn(memory)].filter((key) => key.startsWith('KRW '));
      expect(prices.length).toBeGreaterThan(turns / 3);
    },
  );
});
