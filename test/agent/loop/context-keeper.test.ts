import { describe, expect, it } from 'vitest';
import { TurnHistory } from '#src/agent/loop/turn-history.ts';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import { factOf, problemsOf, tokens } from '#test/agent/memory/window/support.ts';
import { messagesOf, turn } from '#test/agent/memory/transcript/support.ts';
import { calls, done, modelOf, says, ScriptedProvider, SESSION, usage } from '#test/agent/support.ts';
import {
  failing,
  MODEL,
  NOW,
  OFFLINE,
  QUESTION,
  RESERVE,
  setUpKeeper,
  SUMMARY,
  WINDOW,
} from './keeper-support.ts';
import { assistant, text, use } from './runner-support.ts';

describe('a window with room in it', () => {
  it('is left alone, without a word', async () => {
    const { keep, history, provider, names, rowsIn } = await setUpKeeper({ said: 10 });
    expect(await keep()).toBeUndefined();
    expect(history.messages).toHaveLength(21);
    expect([provider.requests, names(), await rowsIn('compacted')]).toEqual([[], [], []]);
  });

  it('is reported when it gets narrow, and still left alone', async () => {
    const { keep, provider, payloads, rowsIn } = await setUpKeeper({ said: 22 });
    expect(await keep()).toBeUndefined();
    expect(payloads('context:window:status')).toEqual([
      { status: 'warning', usageRatio: expect.closeTo(22 / 28.8, 1) as unknown },
    ]);
    expect([provider.requests, await rowsIn('compacted')]).toEqual([[], []]);
  });

  it('of a model that nobody named never ends', async () => {
    const { keep } = await setUpKeeper({ said: 26, request: { models: [] } });
    expect(await keep()).toBeUndefined();
  });
});

describe('a window that is nearly full', () => {
  it('is made room in: the newest question and the last words stay, and a summary stands for the rest', async () => {
    const { keep, history, names, payloads } = await setUpKeeper({ said: 26 });
    const before = history.messages;
    const kept = (await keep()) ?? [];
    expect(kept).toEqual(history.messages);
    expect(kept.at(-1)).toEqual(QUESTION);
    expect(kept).toEqual(expect.arrayContaining(before.slice(-6)));
    expect(problemsOf(kept)).toEqual([]);
    expect(kept[0]?.isSummary).toBe(true);
    expect(JSON.stringify(kept[0])).toContain('They talked about the market.');
    expect(tokens(kept)).toBeLessThan((WINDOW - RESERVE) / 2);
    expect(names().filter((name) => name.startsWith('context:'))).toEqual([
      'context:window:status',
      'context:compact',
    ]);
    expect(payloads('context:window:status')).toMatchObject([{ status: 'critical' }]);
    expect(payloads('context:compact')).toEqual([
      {
        strategy: 'summarize',
        removedCount: expect.any(Number),
        beforeTokens: tokens(before),
        afterTokens: tokens(kept),
      },
    ]);
  });

  it('is made room in for good, where what was there stays beside it', async () => {
    const { keep, history, stored, store } = await setUpKeeper({ said: 26 });
    const before = history.messages;
    await keep();
    await history.append(assistant(text('Who knows.')));
    const later = await stored();
    expect(later).toHaveLength(history.messages.length);
    expect(later.at(-1)).toEqual(assistant(text('Who knows.')));
    expect(JSON.stringify(later[0])).toContain('They talked about the market.');
    expect(messagesOf(await store.loadAll(SESSION))).toEqual([...before, later.at(-1)]);
  });

  it('asks for the summary as for any answer: same prompt, tools and beginning, which the provider has cached', async () => {
    const { keep, history, provider, request } = await setUpKeeper({ said: 26 });
    const before = history.messages;
    await keep();
    expect(provider.requests).toHaveLength(1);
    const [asked] = provider.requests;
    expect(asked).toMatchObject({
      systemPrompt: request.systemPrompt,
      tools: request.tools,
      // Another choice would be another conversation for the provider's cache.
      toolChoice: 'auto',
      cacheKey: SESSION,
    });
    const sent = asked?.messages ?? [];
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.slice(0, -1)).toEqual(before.slice(0, sent.length - 1));
    expect(JSON.stringify(sent.at(-1))).toContain('Sum up the conversation so far');
  });

  it('books the summary to the person whose turn it is', async () => {
    const answer: readonly StreamChunk[] = [...SUMMARY, { type: 'usage', usage: usage(100, 10) }];
    const { keep, booked } = await setUpKeeper({ said: 26, provider: new ScriptedProvider(answer) });
    await keep();
    expect(booked).toMatchObject([
      {
        userId: 'me',
        channelId: 'console',
        sessionKey: SESSION,
        model: 'small',
        usage: { inputTokens: 100 },
      },
    ]);
  });

  it('waits for a model that is down, as long as there is room at all', async () => {
    const provider = new ScriptedProvider(failing, failing);
    const { keep, history, rowsIn, booked } = await setUpKeeper({ said: 26, provider });
    expect(await keep()).toBeUndefined();
    expect(history.messages).toHaveLength(53);
    expect(await rowsIn('compacted')).toEqual([]);
    // The whole at once, then the first of its pieces: a summary is not worth more.
    expect([provider.requests.length, booked.map(({ outcome }) => outcome)]).toEqual([
      2,
      ['failed', 'failed'],
    ]);
  });

  it('does without a model that is down once there is none: the summary is then put together by rule', async () => {
    const provider = new ScriptedProvider(failing, failing);
    const { keep, payloads, stored, request } = await setUpKeeper({ said: 30, provider });
    const kept = (await keep()) ?? [];
    expect(kept.at(-1)).toEqual(QUESTION);
    expect(await stored()).toEqual(kept);
    expect(tokens(kept)).toBeLessThan((WINDOW - RESERVE) / 2);
    expect(payloads('context:compact:fallback').map(({ toStrategy }) => toStrategy)).toEqual([
      'summarize-chunks',
      'truncate-oldest',
    ]);
    const [, piece] = provider.requests;
    expect(piece).toMatchObject({ tools: [], messages: [{ role: 'user' }] });
    expect(piece?.systemPrompt).not.toBe(request.systemPrompt);
  });

  it('takes no tool call for a summary, and asks for one in pieces', async () => {
    const called: readonly StreamChunk[] = [
      ...says('One moment.'),
      ...calls('c1', 'lookup', '{}'),
      done('tool_use'),
    ];
    const provider = new ScriptedProvider(called, ...Array.from({ length: 16 }, () => SUMMARY));
    const { keep } = await setUpKeeper({ said: 26, provider });
    const [summary] = (await keep()) ?? [];
    expect(JSON.stringify(summary)).toContain('They talked about the market.');
    expect(JSON.stringify(summary)).not.toContain('One moment.');
    expect(provider.requests.length).toBeGreaterThan(2);
  });

  it('asks nobody offline, where no model could sum up', async () => {
    const provider = new ScriptedProvider();
    const { keep, payloads, booked } = await setUpKeeper({
      said: 26,
      provider,
      request: { models: [OFFLINE] },
    });
    const kept = (await keep()) ?? [];
    expect(kept.length).toBeLessThan(27);
    expect(kept.at(-1)).toEqual(QUESTION);
    expect([provider.requests, booked]).toEqual([[], []]);
    expect(payloads('context:compact')).toMatchObject([{ strategy: 'truncate-oldest' }]);
  });

  it('asks all the same where only one of the models is offline', async () => {
    const { keep, provider } = await setUpKeeper({ said: 26, request: { models: [MODEL, OFFLINE] } });
    await keep();
    expect(provider.requests).toHaveLength(1);
  });

  it('stays as it was when the run is aborted meanwhile', async () => {
    const reason = new Error('stopped');
    const provider = new ScriptedProvider((_request, signal) =>
      // Deaf to the signal: only who waits for it hears the abort.
      (async function* (): AsyncGenerator<StreamChunk> {
        yield* says('- They');
        abort();
        await new Promise(() => undefined);
        signal.throwIfAborted();
      })(),
    );
    const { keep, controller, history, rowsIn } = await setUpKeeper({ said: 26, provider });
    const abort = (): void => controller.abort(reason);
    await expect(keep()).rejects.toBe(reason);
    expect(history.messages).toHaveLength(53);
    expect(await rowsIn('compacted')).toEqual([]);
  });
});

describe('the summary of a compaction', () => {
  it('stands first, and is no part of what was said in the turn that made it', async () => {
    const { keep, history, store } = await setUpKeeper({ said: 26 });
    await keep();
    expect(history.ofThisTurn).toEqual([QUESTION]);
    const again = await TurnHistory.open(store, SESSION, turn(NOW), new Set([turn(NOW)]));
    expect(again.messages).toEqual(history.messages);
    expect(again.ofThisTurn).toEqual([QUESTION]);
  });

  it('is seen by the turns of others while the one that made it waits for a decision', async () => {
    const { keep, history, store } = await setUpKeeper({ said: 26 });
    await keep();
    await history.append(assistant(use('c1', 'buy')));
    const theirs = await TurnHistory.open(
      store,
      SESSION,
      turn('theirs'),
      new Set([turn(NOW), turn('theirs')]),
    );
    expect(theirs.messages.findIndex(({ isSummary }) => isSummary)).toBe(0);
    expect(theirs.messages).not.toContainEqual(QUESTION);
  });

  it('keeps made-up numbers of what is gone among those that an answer may repeat', async () => {
    const { keep, history } = await setUpKeeper({ said: 26, facts: [factOf('AAPL', { value: '259.58' })] });
    await keep();
    expect(history.earlierSamples.map(({ value }) => value)).toEqual(['259.58']);
  });
});

describe('a window that a provider found too small', () => {
  it('is made room in, though by our count there was some', async () => {
    const { keep, history, payloads } = await setUpKeeper({ said: 18 });
    expect(await keep(false)).toBeUndefined();
    const kept = await keep(true);
    expect(kept).toEqual(history.messages);
    expect(kept?.length).toBeLessThan(37);
    expect(payloads('context:compact')).toHaveLength(1);
  });

  it('is made room in even where by our count it was nearly empty', async () => {
    const { keep, history } = await setUpKeeper({ said: 5 });
    const before = tokens(history.messages);
    expect(await keep(true)).toEqual(history.messages);
    expect(tokens(history.messages)).toBeLessThan(before * 0.6);
    expect(history.messages.at(-1)).toEqual(QUESTION);
  });

  it('is made room in without a model, too, if that is down', async () => {
    const { keep, history } = await setUpKeeper({
      said: 26,
      provider: new ScriptedProvider(failing, failing),
    });
    expect(await keep(true)).toEqual(history.messages);
    expect(history.messages.length).toBeLessThan(53);
  });

  it('cannot be helped where there is nothing but the newest question', async () => {
    const { keep, rowsIn, provider } = await setUpKeeper({ said: 0 });
    expect(await keep(true)).toBeUndefined();
    expect([await rowsIn('compacted'), provider.requests]).toEqual([[], []]);
  });
});

it('reports no compaction where the conversation stays as it is because the model is down', async () => {
  const { keep, payloads } = await setUpKeeper({
    said: 26,
    provider: new ScriptedProvider(failing, failing),
  });
  expect(await keep()).toBeUndefined();
  expect(payloads('context:compact')).toEqual([]);
});

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
