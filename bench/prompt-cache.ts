import { estimateTokens } from '#src/agent/tokens.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { engineOn } from './engine-fixture.ts';

const TURNS = 20;
const PROMPT =
  'You are a careful financial assistant. State where each number is from and as of when. '.repeat(110);

/** As the engine writes it: what changes stands behind the person's words. */
const question = (turn: number): ConversationMessage => ({
  role: 'user',
  content: [
    {
      type: 'text',
      text: `Question ${turn}: how is Apple doing, and how does that compare with question ${turn - 1}?`,
    },
    {
      type: 'text',
      text: `<context>\ntime: 2026-11-13T09:${10 + turn}+09:00\nKRX: open\nprice of AAPL: ${300 + turn}\n</context>`,
    },
  ],
});

/** How much of the input a conversation of twenty turns, with one tool call each, reads from the provider's cache. */
export const benchPromptCache = async (): Promise<void> => {
  const fake = await startFakeAnthropic();
  fake.otherwise((body) =>
    JSON.stringify(body.messages?.at(-1) ?? {}).includes('"tool_result"')
      ? { kind: 'answer', text: 'Apple stands at 304.12 dollars, a little lower than before (sample data).' }
      : { kind: 'answer', toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL'] } }] },
  );
  try {
    const { run, tools } = engineOn(fake.url, { furtherTools: 20, prompt: PROMPT });
    const messages: ConversationMessage[] = [];
    const append = async (message: ConversationMessage): Promise<void> => {
      messages.push(message);
    };
    for (let turn = 1; turn <= TURNS; turn += 1) {
      messages.push(question(turn));
      const result = await run('bench', [...messages], append);
      if (result.status !== 'completed')
        throw new Error(`Turn ${turn} ended: ${result.status}`, { cause: result.error });
    }
    const fixedTokens = estimateTokens(PROMPT) + estimateTokens(JSON.stringify(tools), 'json');
    const sum = (of: (usage: NonNullable<(typeof fake.history)[number]['usage']>) => number): number =>
      fake.history.reduce((total, { usage }) => total + (usage ? of(usage) : 0), 0);
    const read = sum((usage) => usage.cacheRead);
    const all = sum((usage) => usage.input + usage.cacheRead + usage.cacheWrite);
    console.log(
      `prompt cache: ${((100 * read) / all).toFixed(1)} % of ${all} input tokens read from it (${TURNS} turns, ${fake.history.length} requests, prompt and tools ${fixedTokens} tokens); bar 95 %`,
    );
  } finally {
    await fake.close();
  }
};
