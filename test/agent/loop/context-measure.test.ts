import { describe, expect, it } from 'vitest';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { tokens } from '#test/agent/memory/window/support.ts';
import { SESSION, usage } from '#test/agent/support.ts';
import { assistant, text, user } from './runner-support.ts';
import { WINDOW, RESERVE, MODEL, OTHER, QUESTION, setUpKeeper } from './keeper-support.ts';

describe('what is known about a window', () => {
  it('is estimated before the first request, and measured after it', async () => {
    const { state, observe, history } = await setUpKeeper({ said: 10 });
    const before = state();
    expect(before).toMatchObject({
      isMeasured: false,
      reserveTokens: RESERVE,
      state: { maxTokens: WINDOW - RESERVE },
    });
    expect(before.state.currentTokens).toBeGreaterThan(tokens(history.messages));
    observe(12_345);
    expect(state()).toMatchObject({ isMeasured: true, state: { currentTokens: 12_345 } });
  });

  it('is no larger than the operator lets a conversation become', async () => {
    const { state, keep } = await setUpKeeper({ said: 20, maxContextTokens: 20_000 });
    expect(state().state.maxTokens).toBe(20_000 - RESERVE);
    expect(await keep()).toBeDefined();
  });

  it('goes on from the measure with the answer and what was said behind it', async () => {
    const { state, observe, history } = await setUpKeeper({ said: 10 });
    observe(12_345);
    await history.append(assistant(text('a long answer '.repeat(100))));
    expect(state().state.currentTokens).toBe(12_345 + 9);
    await history.append(user('thanks'));
    expect(state().state.currentTokens).toBe(12_345 + 9 + 2);
  });

  it('decides: what the provider counted goes before our estimate', async () => {
    const { keep, observe, payloads } = await setUpKeeper({ said: 20 });
    expect(await keep()).toBeUndefined();
    observe(25_000);
    expect(await keep()).toBeDefined();
    expect(payloads('context:window:status')).toMatchObject([
      { status: 'critical', usageRatio: 25_000 / 28_768 },
    ]);
  });

  it('is estimated again after a compaction, for what was measured is gone', async () => {
    const { keep, observe, state } = await setUpKeeper({ said: 20 });
    observe(25_000, MODEL, 1);
    await keep();
    expect(state()).toMatchObject({ isMeasured: false, state: { status: 'safe' } });
  });

  it('is not what another model counted', async () => {
    const { keep, observe, state } = await setUpKeeper({ said: 20 });
    observe(25_000, OTHER);
    expect(state().isMeasured).toBe(false);
    expect(await keep()).toBeUndefined();
  });

  it('is reported at 80 % and 95 % of what compaction works with, once each, and again after a compaction', async () => {
    const { keep, observe, payloads, keeper } = await setUpKeeper({ said: 20, maxContextTokens: 24_000 });
    const room = 24_000 - RESERVE;
    const passed = () => payloads('execution:context_threshold').map(({ threshold }) => threshold);
    observe(room * 0.8 - 10);
    expect(passed()).toEqual([]);
    observe(room * 0.8);
    observe(room * 0.79);
    observe(room * 0.81);
    expect(passed()).toEqual([0.8]);
    observe(room * 0.95);
    expect(passed()).toEqual([0.8, 0.95]);
    expect(await keep()).toBeDefined();
    // One request can pass both.
    observe(room * 0.99);
    expect(passed()).toEqual([0.8, 0.95, 0.8, 0.95]);
    keeper.forget(SESSION);
    observe(room * 0.8);
    expect(passed()).toHaveLength(5);
  });

  it('is forgotten with the conversation, and that of others is not', async () => {
    const { keeper, observe, state, request, history } = await setUpKeeper({ said: 1 });
    const elsewhere = asId<SessionKey>('elsewhere');
    const toolContext = { ...request.toolContext, sessionKey: elsewhere };
    keeper
      .forTurn({ ...request, toolContext }, history)
      .observe({ message: QUESTION, stopReason: 'end_turn', usage: usage(1, 1), model: MODEL }, 1);
    observe(12_345);
    keeper.forget(SESSION);
    expect(state().isMeasured).toBe(false);
    expect(keeper.stateOf(request, history.messages, elsewhere).isMeasured).toBe(true);
  });

  it('is kept of so many conversations only', async () => {
    const { keeper, observe, state, request, history } = await setUpKeeper({ said: 1 });
    observe(12_345);
    for (let n = 0; n < 10_000; n += 1) {
      const toolContext = { ...request.toolContext, sessionKey: asId<SessionKey>(`s${n}`) };
      keeper
        .forTurn({ ...request, toolContext }, history)
        .observe({ message: QUESTION, stopReason: 'end_turn', usage: usage(1, 1), model: MODEL }, 1);
    }
    expect(state().isMeasured).toBe(false);
    expect(keeper.stateOf(request, history.messages, asId<SessionKey>('s9999')).isMeasured).toBe(true);
  });
});
