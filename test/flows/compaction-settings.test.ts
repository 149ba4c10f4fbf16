import { describe, expect, it } from 'vitest';
import type { AnthropicBody } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { freePort } from '#test/support/database.ts';
import { answer, startEngineApp } from '#test/support/engine-app.ts';

const TURNS = 11;

/** Two results that are long enough to be shortened. */
const LOOKS_BACK: FakeReply = {
  kind: 'answer',
  toolCalls: ['AAPL', 'MSFT'].map((symbol) => ({ name: 'get_history', input: { symbol } })),
};

const isSummaryRequest = (body: AnthropicBody): boolean =>
  JSON.stringify(body.messages.at(-1)).includes('Sum up');

/** Long results at the beginning, then nothing but talk; sums up when it is asked to. */
const script = (): ((body: AnthropicBody) => FakeReply) => {
  let requests = 0;
  return (body) => {
    if (isSummaryRequest(body)) return answer('- They asked about Apple, again and again.');
    requests += 1;
    if (requests === 1) return LOOKS_BACK;
    return { kind: 'answer', text: `Answer: ${'the market moved, '.repeat(45)}`, pieceChars: 4_000 };
  };
};

interface Line {
  readonly msg: string;
  readonly event?: string;
  readonly strategy?: string;
  readonly status?: string;
  readonly usageRatio?: number;
  readonly beforeTokens?: number;
  readonly afterTokens?: number;
  readonly removedCount?: number;
}

/** A conversation of some turns in a small window, under these settings. */
const talkUnder = async (compaction?: object) => {
  const port = await freePort();
  const app = await startEngineApp({
    config: {
      models: {
        definitions: { small: { provider: 'anthropic', contextWindow: 8_192, maxOutputTokens: 1_024 } },
      },
      ...(compaction && { agent: { compaction } }),
    },
    env: { FINCLAW_MODEL: 'small', FINCLAW_FALLBACKS: 'none', FINCLAW_HTTP_PORT: String(port) },
  });
  app.claude.otherwise(script());
  const shown: string[] = [];
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await app.ask('ann', `Question ${turn}: how is Apple?`);
    shown.push((await app.ask('ann', '/context')).join());
  }
  const lines = app.log.map((line) => JSON.parse(line) as Line);
  const requests = app.claude.history.map(({ body }) => body);
  const compactedAt = requests.findIndex((body) => JSON.stringify(body.messages).includes('Summary of the'));
  return {
    app,
    shown,
    metrics: await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    compactions: lines.filter(({ msg }) => msg === 'context:compact'),
    warnings: lines.filter(({ event, status }) => event === 'context:window:status' && status === 'warning'),
    thresholds: lines.filter(({ event }) => event === 'execution:context_threshold'),
    summaryRequests: requests.filter(isSummaryRequest).length,
    afterFirst: requests[compactedAt]?.messages ?? [],
    requests,
  };
};

const countOf = (metrics: string, line: string): number =>
  Number(
    metrics
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length),
  );

describe('the settings of compaction', () => {
  it('decide when it warns, when older parts go, how much stays and how many messages stay as they are', async () => {
    const usual = await talkUnder();
    const early = await talkUnder({
      warnAt: 0.45,
      compactAt: 0.6,
      target: 0.25,
      keepMessages: 1,
      strategy: 'summarize',
    });
    expect(usual.shown[0]).toContain('From 6,092 tokens on');
    expect(early.shown[0]).toContain('From 4,300 tokens on');
    const [late, soon] = [usual.compactions[0], early.compactions[0]];
    expect(late?.beforeTokens).toBeGreaterThan((soon?.beforeTokens ?? Infinity) + 1_000);
    expect(soon?.afterTokens).toBeLessThan((late?.afterTokens ?? 0) - 300);
    expect(late?.removedCount).toBeGreaterThan(soon?.removedCount ?? Infinity);
    expect(Math.min(...usual.warnings.map(({ usageRatio = 0 }) => usageRatio))).toBeGreaterThanOrEqual(0.7);
    expect(Math.min(...early.warnings.map(({ usageRatio = 1 }) => usageRatio))).toBeLessThan(0.6);
    // The summary and the newest question, or more of what was said last.
    expect(early.afterFirst).toHaveLength(1);
    expect(usual.afterFirst.length).toBeGreaterThan(3);
    expect(early.compactions[0]?.strategy).toBe('summarize');
    expect(early.summaryRequests).toBeGreaterThan(0);
    expect(JSON.stringify(early.requests)).not.toContain('characters removed to save space');

    // The marks at 80 % and 95 % are those of the window that compaction works with.
    const passed = usual.thresholds.length;
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThanOrEqual(usual.compactions.length + 1);
    expect(early.thresholds).toEqual([]);
    expect(countOf(usual.metrics, 'finclaw_context_thresholds_total{threshold="0.8"}')).toBe(passed);
    expect(usual.metrics).toMatch(/^finclaw_context_compactions_total\{strategy="[a-z-]+"\} [1-9]/m);
    const mark = '⚠️ More than 80% of the 7,168 tokens that this conversation may take are used.';
    expect(usual.shown.some((text) => text.includes(mark))).toBe(true);
    expect(early.shown.join()).not.toContain('⚠️');
  });

  it('decide whether results of tools are shortened first, or the oldest turns just go without a request to a model', async () => {
    const oldest = await talkUnder({ strategy: 'truncate-oldest' });
    expect(new Set(oldest.compactions.map(({ strategy }) => strategy))).toEqual(new Set(['truncate-oldest']));
    expect(oldest.summaryRequests).toBe(0);

    const tools = await talkUnder({ strategy: 'truncate-tools', target: 0.7 });
    expect(tools.compactions[0]?.strategy).toBe('truncate-tools');
    expect(JSON.stringify(tools.requests)).toContain('characters removed to save space');
  });

  it.each([
    [{ warnAt: 0.9 }, 'agent.compaction.warnAt', 'must be below compactAt (0.85)'],
    [{ compactAt: 0.5, warnAt: 0.4 }, 'agent.compaction.target', 'must be below compactAt (0.5)'],
    [{ keepMessages: 0 }, 'agent.compaction.keepMessages', '>=1'],
    [{ strategy: 'forget' }, 'agent.compaction.strategy', 'truncate-oldest'],
  ])('are refused at the start where they contradict each other: %j', async (compaction, path, why) => {
    const start = startEngineApp({ config: { agent: { compaction } } });
    await expect(start).rejects.toThrow(path);
    await expect(start).rejects.toThrow(why);
  });
});
