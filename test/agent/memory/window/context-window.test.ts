import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ABSOLUTE_MIN_TOKENS,
  type ContextMeasure,
  evaluateContextWindow,
  measureContext,
  type TokenBreakdown,
} from '#src/agent/memory/window/context-window.ts';
import { windowOf } from '#src/agent/memory/window/model-window.ts';
import { estimateMessage, estimateRequest } from '#src/agent/tokens.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { ToolDefinition } from '#src/kernel/agent/tool.ts';
import { everyRow } from '#test/support/every-row.ts';
import { answered, called, resulted, said, text } from './support.ts';

const NOTHING: TokenBreakdown = { systemPrompt: 0, tools: 0, toolResults: 0, conversation: 0, summary: 0 };

const sumOf = (breakdown: TokenBreakdown): number => Object.values(breakdown).reduce((a, b) => a + b, 0);

const measured = (breakdown: Partial<TokenBreakdown>): ContextMeasure => {
  const whole = { ...NOTHING, ...breakdown };
  return { currentTokens: sumOf(whole), breakdown: whole, isMeasured: true };
};

const config = (reserveTokens: number) => ({
  warningThreshold: 0.7,
  criticalThreshold: 0.85,
  reserveTokens,
});

const same = (tokens: number): number => tokens;

const aThirdMore = (tokens: number): number => Math.ceil(tokens * 1.37);

const TOOLS: readonly ToolDefinition[] = [
  { name: 'get_quote', description: 'The price of a symbol', inputSchema: { type: 'object' } },
];
const SUMMARY: ConversationMessage = { role: 'user', isSummary: true, content: [text('x'.repeat(300))] };
const TALK: readonly ConversationMessage[] = [
  SUMMARY,
  said('삼성전자 얼마야?'),
  called('a'),
  resulted('x'.repeat(900), 'a'),
  answered('₩81,200'),
];
const CONTEXT = { systemPrompt: 'You are a bot.', tools: TOOLS, messages: TALK };

describe('windowOf', () => {
  it.each([
    // model's window, its longest answer, allowed window, allowed answer → window, reserve, tools
    [1_000_000, 128_000, 200_000, 8_192, 200_000, 8_192, Infinity],
    [1_000_000, 4_096, 40_000, 8_192, 40_000, 4_096, Infinity],
    [1_000_000, 128_000, 39_999, 8_192, 39_999, 8_192, 7_999],
    [8_192, 1_024, 200_000, 8_192, 8_192, 1_024, 1_638],
    [8_192, 8_192, 200_000, 8_192, 8_192, 2_048, 1_638],
  ])(
    'divides %i tokens, %i for an answer, of which %i and %i are allowed',
    (window, output, maxContextTokens, maxOutputTokens, windowTokens, reserveTokens, toolTokens) => {
      const entry = { provider: 'openai', contextWindow: window, maxOutputTokens: output } as const;
      expect(windowOf(entry, { maxContextTokens, maxOutputTokens })).toEqual({
        windowTokens,
        reserveTokens,
        isSmall: toolTokens < Infinity,
        toolTokens,
      });
    },
  );

  it('is never small for the offline model, which reads no list of tools', () => {
    const entry = { provider: 'offline', contextWindow: 32_000, maxOutputTokens: 4_000 } as const;
    expect(windowOf(entry, { maxContextTokens: 8_000, maxOutputTokens: 4_000 }).isSmall).toBe(false);
  });
});

describe('evaluateContextWindow', () => {
  everyRow([
    [0, 'safe'],
    [69_999, 'safe'],
    [70_000, 'warning'],
    [84_999, 'warning'],
    [85_000, 'critical'],
    [99_999, 'critical'],
    [100_000, 'exceeded'],
    [400_000, 'exceeded'],
  ] as const)('calls %i of 100,000 tokens %s', (tokens, status) => {
    const state = evaluateContextWindow(measured({ conversation: tokens }), 104_000, config(4_000));
    expect(state).toMatchObject({
      currentTokens: tokens,
      maxTokens: 100_000,
      usageRatio: tokens / 100_000,
      status,
      compactionNeeded: status === 'critical' || status === 'exceeded',
    });
  });

  it.each([
    [200_000, 100_000, ABSOLUTE_MIN_TOKENS.standard],
    // Half of what prompt and tools leave, where that is less.
    [100_000, 70_000, 15_000],
  ])('compacts no short conversation in a window of %i of which %i are taken', (window, head, least) => {
    for (const [conversation, isNeeded] of [[least - 1, false] as const, [least, true] as const]) {
      const measure = { ...measured({ systemPrompt: head, conversation }), currentTokens: window * 0.9 };
      expect(evaluateContextWindow(measure, window, config(0)).compactionNeeded).toBe(isNeeded);
    }
  });

  it('counts results and a summary as conversation', () => {
    const parts = { tools: 60_000, toolResults: 20_000, conversation: 6_000, summary: 6_768 };
    expect(evaluateContextWindow(measured(parts), 100_000, config(0)).compactionNeeded).toBe(true);
  });

  it.each([8_000, 16_000, 32_000, 32_768, 64_000, 200_000])(
    'lets a window of %i be compacted once half of it is conversation',
    (window) => {
      const half = Math.min(window / 2, ABSOLUTE_MIN_TOKENS.standard);
      const full = measured({ tools: window - half, conversation: half });
      const critical = measured({ tools: window * 0.9 - half, conversation: half });
      expect(evaluateContextWindow(full, window, config(0)).compactionNeeded).toBe(true);
      expect(evaluateContextWindow(critical, window, config(0)).compactionNeeded).toBe(true);
    },
  );

  it('compacts whatever there is once the window is exceeded', () => {
    const state = evaluateContextWindow(measured({ tools: 31_000, conversation: 1_000 }), 32_000, config(0));
    expect(state).toMatchObject({ status: 'exceeded', compactionNeeded: true });
  });

  it('knows no window without room', () => {
    const state = evaluateContextWindow(measured({ conversation: 5 }), 100, config(400));
    expect(state).toMatchObject({ maxTokens: 1, usageRatio: 5, status: 'exceeded' });
  });
});

describe('measureContext', () => {
  it('says how much comes from where, as the estimate of the request has it', () => {
    const { currentTokens, breakdown, isMeasured } = measureContext(CONTEXT, same);
    expect(isMeasured).toBe(false);
    expect(currentTokens).toBe(estimateRequest(CONTEXT));
    expect(breakdown).toEqual({
      systemPrompt: 5,
      tools: estimateRequest({ systemPrompt: '', tools: TOOLS, messages: [] }),
      toolResults: 300,
      conversation: [1, 2, 4].reduce((sum, i) => sum + estimateMessage(TALK[i] ?? SUMMARY), 0),
      summary: 100,
    });
  });

  it('corrects estimates by what was learnt about the model', () => {
    const plain = measureContext(CONTEXT, same);
    const doubled = measureContext(CONTEXT, (tokens) => tokens * 2);
    expect(doubled.currentTokens).toBe(plain.currentTokens * 2);
    expect(doubled.breakdown.toolResults).toBe(600);
  });

  it('prefers what the provider counted, and estimates what came after it only', () => {
    const request = { inputTokens: 5_000, messageCount: 2 };
    const { currentTokens, breakdown, isMeasured } = measureContext(CONTEXT, same, request);
    const after = TALK.slice(2).reduce((sum, message) => sum + estimateMessage(message), 0);
    expect(isMeasured).toBe(true);
    expect(currentTokens).toBe(5_000 + after);
    expect(breakdown.toolResults).toBe(300);
    expect(sumOf(breakdown)).toBe(currentTokens);
  });

  it('takes the length of the answer as the provider counted it', () => {
    const request = { inputTokens: 5_000, messageCount: 2, outputTokens: 77 };
    const after = TALK.slice(3).reduce((sum, message) => sum + estimateMessage(message), 0);
    expect(measureContext(CONTEXT, same, request).currentTokens).toBe(5_000 + 77 + after);
  });

  it('does not count an answer that is not there', () => {
    const request = { inputTokens: 5_000, messageCount: TALK.length, outputTokens: 77 };
    expect(measureContext(CONTEXT, same, request).currentTokens).toBe(5_000);
  });

  it('does not trust a count of more messages than there are, or of nothing', () => {
    const estimate = measureContext(CONTEXT, same);
    expect(measureContext(CONTEXT, same, { inputTokens: 9, messageCount: 6 })).toEqual(estimate);
    expect(measureContext(CONTEXT, same, { inputTokens: 0, messageCount: 2 })).toEqual(estimate);
  });

  it('has parts that add up to the whole, whatever was counted', () => {
    const part = fc.integer({ min: 0, max: 3_000 });
    fc.assert(
      fc.property(part, part, fc.integer({ min: 1, max: 200_000 }), fc.nat({ max: 5 }), (a, b, input, n) => {
        const messages = [
          said('x'.repeat(a)),
          called('q'),
          resulted('y'.repeat(b), 'q'),
          answered('z'),
          SUMMARY,
        ];
        const context = { systemPrompt: 'p'.repeat(b), tools: TOOLS, messages };
        for (const last of [undefined, { inputTokens: input, messageCount: n, outputTokens: a }]) {
          const { breakdown, currentTokens } = measureContext(context, aThirdMore, last);
          expect(sumOf(breakdown)).toBe(currentTokens);
          expect(Object.values(breakdown).every((tokens) => Number.isInteger(tokens) && tokens >= 0)).toBe(
            true,
          );
        }
      }),
    );
  });

  it('measures a conversation of thousands of messages again without reading it again', () => {
    let reads = 0;
    const watched = (words: string): ConversationMessage => ({
      role: 'user',
      get content() {
        reads += 1;
        return [text(words)];
      },
    });
    const messages = Array.from({ length: 3_000 }, (_, i) => watched(`message ${i}`));
    measureContext({ ...CONTEXT, messages }, same);
    const readOnce = reads;
    measureContext({ ...CONTEXT, messages: [...messages, said('one more')] }, same);
    expect(reads).toBe(readOnce);
  });
});
