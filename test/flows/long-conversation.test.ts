import { describe, expect, it } from 'vitest';
import type { AnthropicBody } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { temporaryDir } from '#test/support/database.ts';
import { type EngineApp, startEngineApp, startServers } from '#test/support/engine-app.ts';

const BOUGHT = 'I bought 12 shares of NVDA at $182.50 on 2026-03-14. Please remember that.';
const nameOf = (window: number): string => `window-${window}`;

/** By window: how many turns, and how long the answers are. Longer ones fill a larger window in fewer turns. */
const TALKS = new Map([
  [8_192, { turns: 160, phrases: 12 }],
  [16_384, { turns: 80, phrases: 40 }],
  [32_768, { turns: 60, phrases: 108 }],
]);
const WINDOWS = [...TALKS.keys()];

/** One model for each window; the server would take the largest. */
const CONFIG = {
  models: {
    definitions: Object.fromEntries(
      WINDOWS.map((contextWindow) => [
        nameOf(contextWindow),
        { provider: 'anthropic', contextWindow, maxOutputTokens: 1_024 },
      ]),
    ),
    choices: WINDOWS.map(nameOf),
  },
};
const ENV = { FINCLAW_MODEL: nameOf(32_768), FINCLAW_FALLBACKS: 'none' };
const LARGEST = { claude: { contextWindow: 32_768 } };

const textOf = (body: AnthropicBody): string => JSON.stringify(body.messages);

const isSummaryRequest = (body: AnthropicBody): boolean =>
  JSON.stringify(body.messages.at(-1)).includes('Sum up');

/** What a model says at length, differently every time, and now and then after a look at a quote. */
const scripted = (summary: FakeReply, phrasesOf: (model: string) => number) => {
  const turns = new Map<string, number>();
  return (body: AnthropicBody): FakeReply => {
    if (isSummaryRequest(body)) return summary;
    const last = JSON.stringify(body.messages.at(-1));
    const turn = turns.get(body.model) ?? 0;
    if (turn % 10 === 0 && !last.includes('tool_result')) {
      return { kind: 'answer', toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL', 'MSFT'] } }] };
    }
    turns.set(body.model, turn + 1);
    const text = `Answer ${turn}: ${'the market moved a little, '.repeat(phrasesOf(body.model))}`;
    return { kind: 'answer', text, pieceChars: 4_000 };
  };
};

const talk = async (app: EngineApp, who: string, from: number, to: number): Promise<void> => {
  for (let turn = from; turn <= to; turn += 1) {
    const question = turn === 3 ? BOUGHT : `Question ${turn}: what do you think of Apple and of the dollar?`;
    const said = await app.ask(who, question);
    expect(said.join('\n'), `${who}, turn ${turn}`).toContain('Answer');
  }
};

const compactions = (log: readonly string[]): number =>
  log.filter((line) => line.includes('"context:compact"')).length;

/** Nothing was refused, nothing was longer than its window, and the last request still knows the third turn. */
const expectMemory = ({ claude: { history } }: EngineApp, window: number, turns: number): void => {
  const asked = history.filter(({ body }) => body.model === nameOf(window));
  expect(asked.filter(({ outcome }) => outcome === 'refused').map(({ problem }) => problem)).toEqual([]);
  const talked = asked.filter(({ body }) => !isSummaryRequest(body));
  const sizes = talked.map(({ usage }) => (usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0));
  expect(Math.max(...sizes)).toBeLessThan(window);
  const last = talked.at(-1)?.body;
  expect(last && textOf(last)).toContain('NVDA');
  expect(last && textOf(last)).toMatch(/182\.50?\b/);
  expect(last && textOf(last)).toContain(`Question ${turns}`);
  expect(last && textOf(last)).not.toContain('Question 9:');
};

describe('a long conversation', () => {
  it(
    'of hundreds of turns never overflows windows of 8K, 16K and 32K tokens, and remembers its third turn over a restart, with a model that sums up badly',
    { timeout: 120_000 },
    async () => {
      const servers = await startServers(LARGEST);
      const phrases = new Map([...TALKS].map(([window, { phrases: count }]) => [nameOf(window), count]));
      servers.claude.otherwise(
        scripted(
          { kind: 'answer', text: 'We talked about this and that.' },
          (model) => phrases.get(model) ?? 0,
        ),
      );
      const options = { servers, dataDir: temporaryDir(), config: CONFIG, env: ENV };
      const first = await startEngineApp(options);
      // One person for each model, all at once.
      for (const name of WINDOWS.map(nameOf)) await first.ask(name, `/model ${name}`);
      await Promise.all([...TALKS].map(([window, { turns }]) => talk(first, nameOf(window), 1, turns / 2)));
      await first.stop();
      const second = await startEngineApp(options);
      await Promise.all(
        [...TALKS].map(([window, { turns }]) => talk(second, nameOf(window), turns / 2 + 1, turns)),
      );
      for (const [window, { turns }] of TALKS) expectMemory(second, window, turns);
      expect(compactions(first.log)).toBeGreaterThan(WINDOWS.length);
    },
  );

  it.each([
    {
      model: 'a model that sums up well',
      summary: {
        kind: 'answer',
        text: '- The person bought 12 shares of NVDA at $182.50 on 2026-03-14.\n- They keep asking about Apple.',
      },
    },
    { model: 'a model that cannot sum up', summary: { kind: 'status', status: 500 } },
  ] as const)('remembers its third turn with $model', { timeout: 60_000 }, async ({ summary }) => {
    const servers = await startServers(LARGEST);
    servers.claude.otherwise(scripted(summary, () => 60));
    const app = await startEngineApp({
      servers,
      config: CONFIG,
      env: { ...ENV, FINCLAW_MODEL: nameOf(8_192) },
    });
    await talk(app, 'ann', 1, 20);
    expectMemory(app, 8_192, 20);
    expect(compactions(app.log)).toBeGreaterThan(0);
  });
});
