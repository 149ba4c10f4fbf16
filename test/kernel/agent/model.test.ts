import { describe, expect, it } from 'vitest';
import { isPlausibleKey } from '#src/kernel/agent/model.ts';
import { anthropicKey, openaiKey } from '#test/agent/keys/support.ts';
import { everyRow } from '#test/support/every-row.ts';

describe('isPlausibleKey', () => {
  everyRow([
    ['anthropic', anthropicKey('a'), true],
    ['openai', openaiKey('a'), true],
    ['openai', anthropicKey('a'), false],
    ['anthropic', openaiKey('a'), false],
    ['anthropic', `sk-ant-${'a'.repeat(13)}`, true],
    ['anthropic', `sk-ant-${'a'.repeat(12)}`, false],
    ['openai', `sk-${'a'.repeat(297)}`, true],
    ['openai', `sk-${'a'.repeat(298)}`, false],
    ['openai', `sk-proj ${'a'.repeat(20)}`, false],
    ['openai', `sk-proj\n${'a'.repeat(20)}`, false],
    ['openai', `${openaiKey('a')}\n`, false],
    ['openai', `sk-열쇠${'a'.repeat(20)}`, false],
    ['openai', 'hello, this is no key', false],
    ['openai', '', false],
  ] as const)('says of %s and %j: %s', (provider, key, expected) => {
    expect(isPlausibleKey(provider, key)).toBe(expected);
  });

  it.each([
    ['ollama', true],
    ['x', true],
    ['z'.repeat(300), true],
    ['z'.repeat(301), false],
    ['two words', false],
    ['열쇠', false],
    ['', false],
  ])('takes any one word for a server with keys of its own form: %j %s', (key, expected) => {
    expect(isPlausibleKey('openai', key, { anyForm: true })).toBe(expected);
  });
});
