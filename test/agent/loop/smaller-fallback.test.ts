import { describe, expect, it } from 'vitest';
import { done, modelOf, says, ScriptedProvider } from '#test/agent/support.ts';
import { MODEL, QUESTION, setUpKeeper } from './keeper-support.ts';

const SMALLER = modelOf('smaller', { contextWindow: 8_192, maxOutputTokens: 1_024 });
const LARGER = modelOf('larger', { contextWindow: 1_000_000 });
const TINY_HEAD = { systemPrompt: 'Be brief.', tools: [] };

const setUp = async (said: number) => {
  const { window, history, stored, controller } = await setUpKeeper({
    said,
    provider: new ScriptedProvider([...says('ok'), done()]),
    request: { models: [MODEL, SMALLER, LARGER], other: () => TINY_HEAD },
  });
  const shapeFor = (model = SMALLER, messages = history.messages) =>
    window.shapeFor(model, messages, controller.signal);
  return { shapeFor, history, stored };
};

describe('a fallback to a model with a smaller window', () => {
  it('gets the end of the conversation under a head of its own, and nothing that is stored changes', async () => {
    const { shapeFor, history, stored } = await setUp(20);
    const before = await stored();
    const shape = await shapeFor();
    expect(shape).toMatchObject(TINY_HEAD);
    expect(shape?.messages.at(-1)).toEqual(QUESTION);
    expect(shape?.messages.length).toBeLessThan(history.messages.length);
    expect(await stored()).toEqual(before);
    // The first model, and those with more room, get the whole.
    expect((await shapeFor(MODEL))?.messages).toEqual(history.messages);
    expect(await shapeFor(LARGER)).toEqual({ ...TINY_HEAD, messages: history.messages });
  });

  it('gets nothing where not even the newest message fits', async () => {
    const { shapeFor, history } = await setUp(1);
    const long = { ...QUESTION, content: [{ type: 'text' as const, text: 'x'.repeat(40_000) }] };
    expect(await shapeFor(SMALLER, [...history.messages.slice(0, -1), long])).toBeUndefined();
  });
});
