import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  estimateRequest,
  estimateTokens,
  TokenCounter,
  TokenEstimator,
  type UncorrectedTokens,
} from '#src/agent/tokens.ts';
import { type ContentBlock, NO_USAGE } from '#src/kernel/agent/model.ts';
import { everyRow } from '#test/support/every-row.ts';

const uncorrected = (tokens: number): UncorrectedTokens => tokens as UncorrectedTokens;

const text = (length: number): ContentBlock => ({ type: 'text', text: 'x'.repeat(length) });

const requestOf = (...content: readonly ContentBlock[]) => ({
  systemPrompt: '',
  messages: content.map((block) => ({ role: 'user' as const, content: [block] })),
  tools: [],
});

/** Any text at all, halves of surrogate pairs included. */
const anyText = fc.array(fc.nat({ max: 0xff_ff })).map((codes) => String.fromCharCode(...codes));

describe('estimateTokens', () => {
  everyRow([
    ['nothing', '', 0, 0],
    ['one letter', 'a', 1, 1],
    ['three bytes', 'abc', 1, 2],
    ['four bytes', 'abcd', 2, 2],
    ['eleven bytes', 'hello world', 4, 5],
    ['Korean, three bytes a syllable', '삼성전자 주가', 7, 9],
    ['an emoji of four bytes', '📈', 2, 2],
    ['a lone surrogate, which is sent as a replacement character', '\uD83D', 1, 2],
  ])('estimates %s', (_what, text, prose, json) => {
    expect(estimateTokens(text)).toBe(prose);
    expect(estimateTokens(text, 'prose')).toBe(prose);
    expect(estimateTokens(text, 'json')).toBe(json);
  });

  it('rounds up and never past the next whole number, at any length', () => {
    for (let tens = 1; tens <= 1_000; tens += 1) {
      expect(estimateTokens('x'.repeat(11 * tens), 'json')).toBe(5 * tens);
      expect(estimateTokens('x'.repeat(3 * tens))).toBe(tens);
    }
  });

  it('grows with any text that is added, and counts JSON denser than prose', () => {
    const text = fc.oneof(
      anyText,
      fc.string({ unit: fc.constantFrom('가', '힣', '📈', '\uD83D', '\uDCC8', 'a', ' ') }),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        // A lone half before its other half: together they are one character of four bytes, apart two of three.
        const isJoined = /[\uD800-\uDBFF]$/.test(a) && /^[\uDC00-\uDFFF]/.test(b);
        if (!isJoined) expect(estimateTokens(a + b)).toBeGreaterThanOrEqual(estimateTokens(a));
        expect(estimateTokens(a + b)).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
        expect(estimateTokens(a, 'json')).toBeGreaterThanOrEqual(estimateTokens(a));
        expect(estimateTokens(a)).toBeLessThanOrEqual(a.length);
      }),
    );
  });
});

describe('estimateRequest', () => {
  it.each<[string, ContentBlock, number]>([
    ['text', { type: 'text', text: 'x'.repeat(300) }, 100],
    [
      'thinking',
      { type: 'thinking', model: 'm', text: 'x'.repeat(30), opaque: { text: 'y'.repeat(999) } },
      10,
    ],
    [
      'an image of any size',
      { type: 'image', name: 'a', mimeType: 'image/png', base64: 'A'.repeat(1e6) },
      1_600,
    ],
    // The name is prose of 3 tokens, {"a":"xxxxx"} has 13 bytes of JSON.
    ['a call', { type: 'tool_use', id: 't', name: 'get_quote', input: { a: 'xxxxx' } }, 3 + 6],
    ['a call without input', { type: 'tool_use', id: 't', name: 'abc', input: undefined }, 1],
    ['a result', { type: 'tool_result', toolUseId: 't', content: 'x'.repeat(33), isError: false }, 11],
  ])('counts %s', (_what, block, tokens) => {
    expect(estimateRequest(requestOf(block))).toBe(tokens);
  });

  it('counts the system prompt, every block of every message, and what tools say of themselves', () => {
    const request = {
      systemPrompt: 'x'.repeat(3_000),
      messages: [
        { role: 'user' as const, content: [text(300), text(30)] },
        { role: 'assistant' as const, content: [text(3)] },
      ],
      // {"type":"object","n":1} has 23 bytes.
      tools: [{ name: 'abc', description: 'x'.repeat(60), inputSchema: { type: 'object', n: 1 } }],
    };
    expect(estimateRequest(request)).toBe(1_000 + 100 + 10 + 1 + (1 + 20 + 11));
  });

  it('is nothing for an empty request', () => {
    expect(estimateRequest(requestOf())).toBe(0);
  });

  it('takes a transcript of very many blocks', () => {
    const blocks = Array.from({ length: 200_000 }, (): ContentBlock => ({ type: 'text', text: 'abc' }));
    expect(estimateRequest(requestOf(...blocks.slice(0, 50_000)))).toBe(50_000);
    const one = { systemPrompt: '', messages: [{ role: 'user' as const, content: blocks }], tools: [] };
    expect(estimateRequest(one)).toBe(200_000);
  });
});

describe('TokenEstimator', () => {
  const TEXT = 'x'.repeat(3_000);

  it('estimates plainly for a model it has seen nothing of', () => {
    const estimator = new TokenEstimator();
    expect(estimator.correct('m', estimateTokens(TEXT))).toBe(1_000);
    expect(estimator.correct('m', estimateTokens('x'.repeat(22), 'json'))).toBe(10);
    expect(estimator.correct('m', estimateRequest(requestOf({ type: 'text', text: TEXT })))).toBe(1_000);
  });

  it('moves a fifth of the way towards what was really used', () => {
    const estimator = new TokenEstimator();
    estimator.observe('m', uncorrected(1_000), 2_000);
    expect(estimator.correct('m', estimateTokens(TEXT))).toBe(1_200);
    estimator.observe('m', uncorrected(1_000), 2_000);
    expect(estimator.correct('m', estimateTokens(TEXT))).toBe(1_360);
    expect(estimator.correct('m', estimateRequest(requestOf({ type: 'text', text: TEXT })))).toBe(1_360);
  });

  it('learns for each model by itself', () => {
    const estimator = new TokenEstimator();
    estimator.observe('m', uncorrected(1_000), 2_000);
    expect(estimator.correct('other', estimateTokens(TEXT))).toBe(1_000);
  });

  it('settles at the truth, up or down, when requests are compared as they were sent', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.4, max: 2.9, noNaN: true }), (truth) => {
        const estimator = new TokenEstimator();
        const request = requestOf({ type: 'text', text: TEXT });
        for (let count = 0; count < 60; count += 1)
          estimator.observe('m', estimateRequest(request), estimateRequest(request) * truth);
        expect(Math.abs(estimator.correct('m', estimateRequest(request)) - 1_000 * truth)).toBeLessThan(2);
      }),
    );
  });

  it.each([
    ['nothing estimated', 0, 100],
    ['nothing used', 100, 0],
    ['less than nothing', -100, -100],
    ['what is no number', NaN, 100],
    ['what is no number either', 100, NaN],
    ['no end', 100, Infinity],
    ['no end of an estimate', Infinity, 100],
  ])('learns nothing from %s', (_what, estimated, actual) => {
    const estimator = new TokenEstimator();
    estimator.observe('m', uncorrected(estimated), actual);
    expect(estimator.correct('m', estimateTokens(TEXT))).toBe(1_000);
  });

  it('is moved by one absurd request no further than by a plausible one', () => {
    const estimator = new TokenEstimator();
    estimator.observe('m', uncorrected(1), 1_000_000);
    expect(estimator.correct('m', estimateTokens(TEXT))).toBe(1_400);
  });

  it('never corrects by less than 0.3 or more than 3, whatever it sees', () => {
    const any = fc.oneof(fc.double(), fc.double({ min: 0, max: 1e6 }), fc.constantFrom(0, 1, NaN, Infinity));
    fc.assert(
      fc.property(fc.array(fc.tuple(any, any), { maxLength: 100 }), (seen) => {
        const estimator = new TokenEstimator();
        for (const [estimated, actual] of seen) estimator.observe('m', uncorrected(estimated), actual);
        const estimate = estimator.correct('m', estimateTokens(TEXT));
        expect(estimate).toBeGreaterThanOrEqual(300);
        expect(estimate).toBeLessThanOrEqual(3_000);
      }),
    );
  });

  it('reaches both bounds when it sees nothing else', () => {
    const [low, high] = [new TokenEstimator(), new TokenEstimator()];
    for (let count = 0; count < 200; count += 1) {
      low.observe('m', uncorrected(1_000), 1);
      high.observe('m', uncorrected(1), 1_000);
    }
    expect(low.correct('m', estimateTokens(TEXT))).toBeLessThanOrEqual(301);
    expect(high.correct('m', estimateTokens(TEXT))).toBe(3_000);
  });
});

describe('TokenCounter', () => {
  it('adds up what all requests of a run used', () => {
    const counter = new TokenCounter();
    expect(counter.current).toEqual(NO_USAGE);
    counter.add({ inputTokens: 1, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 4_000 });
    counter.add({ inputTokens: 5, outputTokens: 60, cacheReadTokens: 700, cacheWriteTokens: 8_000 });
    expect(counter.current).toEqual({
      inputTokens: 6,
      outputTokens: 80,
      cacheReadTokens: 1_000,
      cacheWriteTokens: 12_000,
    });
  });
});
