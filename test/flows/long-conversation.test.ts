import { describe, expect, it } from 'vitest';
import type { AnthropicBody } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { temporaryDir } from '#test/support/database.ts';
import { type EngineApp, startEngineApp, startServers } from '#test/support/engine-app.ts';

const WINDOW = 32_768;
const BOUGHT = 'I bought 12 shares of NVDA at $182.50 on 2026-03-14. Please remember that.';

const SMALL_MODEL = {
  models: {
    definitions: {
      'small-window': {
        provider: 'anthropic',
        contextWindow: WINDOW,
        maxOutputTokens: 4_096,
        aliases: ['small'],
      },
    },
  },
};

const isSummaryRequest = (body: AnthropicBody): boolean =>
  JSON.stringify(body.messages.at(-1)).includes('Sum up');

const textOf = (body: AnthropicBody): string => JSON.stringify(body.messages);

/** What a model says at length, differently every time, and now and then after a look at a quote. */
const scripted = (summary: (body: AnthropicBody) => FakeReply, phrases: number) => {
  let turn = 0;
  return (body: AnthropicBody): FakeReply => {
    if (isSummaryRequest(body)) return summary(body);
    const last = JSON.stringify(body.messages.at(-1));
    if (turn % 3 === 0 && !last.includes('tool_result')) {
      return { kind: 'answer', toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL', 'MSFT'] } }] };
    }
    turn += 1;
    return { kind: 'answer', text: `Answer ${turn}: ${'the market moved a little, '.repeat(phrases)}` };
  };
};

const talk = async (app: EngineApp, from: number, to: number): Promise<void> => {
  for (let turn = from; turn <= to; turn += 1) {
    const question = turn === 3 ? BOUGHT : `Question ${turn}: what do you think of Apple and of the dollar?`;
    const said = await app.ask('ann', question);
    expect(said.join('\n'), `turn ${turn}`).toContain('Answer');
  }
};

const compactions = (log: readonly string[]): readonly string[] =>
  log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ message }) => message === 'context:compact')
    .map(({ strategy }) => String(strategy));

/** The worst summary has the longest way to go; the others fill the window as often with longer answers. */
const MODELS = [
  {
    model: 'a model that sums up well',
    turns: 40,
    phrases: 60,
    summary: (): FakeReply => ({
      kind: 'answer',
      text: '- The person bought 12 shares of NVDA at $182.50 on 2026-03-14.\n- They keep asking about Apple.',
    }),
  },
  {
    model: 'a model that sums up badly',
    turns: 300,
    phrases: 20,
    summary: (): FakeReply => ({ kind: 'answer', text: 'We talked about this and that.' }),
  },
  {
    model: 'a model that cannot',
    turns: 40,
    phrases: 60,
    summary: (): FakeReply => ({ kind: 'status', status: 500 }),
  },
];

describe(`a long conversation in a window of ${WINDOW} tokens`, () => {
  it.each(MODELS)(
    'never overflows and remembers after $turns turns what was said in its third, with $model',
    { timeout: 120_000 },
    async ({ turns, phrases, summary }) => {
      const servers = await startServers({ claude: { contextWindow: WINDOW } });
      servers.claude.otherwise(scripted(summary, phrases));
      const options = {
        servers,
        dataDir: temporaryDir(),
        config: SMALL_MODEL,
        env: { FINCLAW_MODEL: 'small', FINCLAW_FALLBACKS: 'none' },
      };
      const first = await startEngineApp(options);
      await talk(first, 1, turns / 2);
      await first.stop();
      const second = await startEngineApp(options);
      await talk(second, turns / 2 + 1, turns);

      const { history } = servers.claude;
      expect(history.filter(({ outcome }) => outcome === 'refused').map(({ problem }) => problem)).toEqual(
        [],
      );
      const sent = history.filter(({ body }) => !isSummaryRequest(body));
      for (const { usage } of sent) {
        const whole = usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0;
        expect(whole).toBeLessThan(WINDOW);
      }
      const last = sent.at(-1)?.body;
      expect(last && textOf(last)).toContain('NVDA');
      expect(last && textOf(last)).toMatch(/182\.50?\b/);
      expect(last && textOf(last)).toContain(`Question ${turns}`);
      expect(last && textOf(last)).not.toContain('Question 9:');
      expect(compactions([...first.log, ...second.log]).length).toBeGreaterThan(0);
    },
  );
});
