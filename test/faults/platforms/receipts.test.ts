import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { calls } from '#test/support/broker.ts';
import { answer } from '#test/support/engine-app.ts';
import { eventually } from '#test/support/platforms/talk.ts';
import { linesIn, startDyingBots } from './dying-bots.ts';

const WAIT_MS = 20_000;
/** The entries of the stored conversation: question, call, then these. */
const [RESULT, ANSWER] = [3, 4];
const SETS = calls({
  name: 'set_alert',
  input: { symbol: 'AAPL', condition: 'above', value: '900', isSure: true },
});

const isSet = ({ messages }: AnthropicBody): boolean =>
  blocksOf(messages.at(-1)?.content ?? '').some(({ type }) => type === 'tool_result');

describe('kill -9 between a change and the answer that tells of it', () => {
  it('leaves one change with one receipt below one answer', { timeout: 120_000 }, async () => {
    const { dataDir, claude, discord, load } = await startDyingBots();
    writeFileSync(
      join(dataDir, 'finclaw.config.json'),
      JSON.stringify({ live: { mode: 'off' }, welcome: false }),
    );
    const kim = discord.addUser({ name: 'kim', locale: 'en-US' });
    const told = () => discord.messagesIn(discord.directChannel(kim).id).filter(({ author }) => author.isBot);
    const patiently = (look: () => boolean): Promise<boolean> =>
      eventually(look, () => told().map(({ content }) => content), WAIT_MS);
    claude.otherwise((body): FakeReply => (isSet(body) ? answer('Done.') : SETS));

    let next = load(RESULT);
    for (const [lastLine, following] of [[RESULT, ANSWER], [ANSWER]] as const) {
      const bot = next;
      await bot.start();
      // The next one loads while this one runs.
      next = load(following);
      if (lastLine === RESULT) {
        await patiently(() => discord.gateway.isReady);
        discord.sayDirect(kim, 'Tell me when Apple is at 900');
      }
      expect(await bot.exited).toEqual({ code: null, signal: 'SIGKILL' });
      expect(linesIn(dataDir)).toHaveLength(lastLine);
      expect(told()).toEqual([]);
    }

    await next.start();
    await patiently(() => told().length > 0);
    next.end('SIGTERM');
    expect(await next.exited).toEqual({ code: 0, signal: null });
    const [only, ...others] = told();
    expect(others).toEqual([]);
    expect(only?.content.match(/Alert set/gu)).toHaveLength(1);
    expect(only?.content).toMatch(/^Done\.[^]*Apple .*900/u);
    expect(only?.buttons.map(({ label }) => label)).toContain('Delete AAPL: at $900.00 or above');
    // The change was made once, and the model was asked once more for the answer that was not there yet.
    expect(claude.history).toHaveLength(2);
  });
});
