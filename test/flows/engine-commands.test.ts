import { describe, expect, it } from 'vitest';
import { CATALOG_AS_OF } from '#src/agent/models/catalog-data.ts';
import { modelTexts } from '#src/kernel/agent/texts/models.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { modelUsageTexts } from '#src/kernel/agent/texts/usage.ts';
import { stopTexts } from '#commands/chat/texts.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { Decimal, formatCount, formatUsd } from '#src/kernel/money.ts';
import { type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import {
  answer,
  bookedIn,
  callsTool,
  countInLog,
  holds,
  requestsTo,
  startEngineApp,
  startServers,
  status,
  until,
  untilRead,
} from '#test/support/engine-app.ts';
const IN_GROUP: Partial<MsgContext> = {
  chatType: 'group',
  chatId: asId<ChatId>('all'),
  mentionsBot: true,
};

const lastAnswer = (body: AnthropicBody | undefined): string =>
  blocksOf(body?.messages.findLast(({ role }) => role === 'assistant')?.content ?? [])
    .map((block) => (block.type === 'text' ? block.text : block.type))
    .join('\n');

describe('/model', () => {
  it('shows what answers here, what it costs and what follows when it fails', async () => {
    const engine = await startEngineApp();
    const [shown = ''] = await engine.ask('ann', '/model');
    expect(shown.split('\n')).toEqual([
      `${modelTexts('en').current({ name: 'Claude Sonnet 5.5', id: 'claude-sonnet-5-5' })} ${modelTexts('en').configured()}`,
      modelTexts('en').price({ input: '$2.00', output: '$10.00', asOf: CATALOG_AS_OF }),
      modelTexts('en').fallbacks({ names: '`gpt-6.1-sol`' }),
      modelTexts('en').hint(),
    ]);
    const list = (await engine.ask('ann', '/model list')).join('\n');
    expect(list).toMatch(/\*\*Claude Sonnet 5\.5\*\* .+ ◀ in use here/);
    expect(list).toMatch(/\*\*o3\*\* .+ ⚠️ deprecated, end of life 2026-12-11/);
    expect(list).not.toContain(modelTexts('en').unusable());
  });

  it('switches for this conversation from the next message on, not in the middle of an answer', async () => {
    const engine = await startEngineApp();
    const held = Promise.withResolvers<void>();
    engine.claude.reply(holds(held.promise, callsTool('AAPL')), answer('Still me.'), answer('Now me.'));
    const asked = engine.ask('ann', 'How is Apple doing?');
    await until(() => engine.claude.history.length === 1);
    expect(await engine.ask('ann', '/model haiku')).toEqual([
      modelTexts('en').switched({ name: 'Claude Haiku 5.5' }),
    ]);
    held.resolve();
    await asked;
    await engine.ask('ann', 'And who are you now?');
    await engine.ask('bob', 'And who are you here?');
    expect(engine.claude.history.map(({ body }) => body.model)).toEqual([
      'claude-sonnet-5-5',
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
      'claude-sonnet-5-5',
    ]);
  });

  it('stays switched over a restart, until the default is asked for', async () => {
    const servers = await startServers();
    const first = await startEngineApp({ servers });
    await first.ask('ann', '/모델 gpt');
    await first.stop();
    const second = await startEngineApp({ servers, dataDir: first.dataDir });
    await second.ask('ann', '누가 답하나요?');
    expect(requestsTo(second.gpt)).toEqual(['3333 gpt-6.1-sol answer']);
    expect(await second.ask('ann', '/model 기본')).toEqual([
      modelTexts('ko').backToDefault({ name: 'Claude Sonnet 5.5' }),
    ]);
    await second.ask('ann', '이제는 누가 답하나요?');
    expect(requestsTo(second.claude)).toEqual(['1111 claude-sonnet-5-5 answer']);
  });

  it('falls back from a chosen model to the configured ones', async () => {
    const engine = await startEngineApp();
    await engine.ask('ann', '/model gpt');
    engine.gpt.otherwise(status(503));
    engine.claude.reply(answer('For GPT.'));
    expect(await engine.ask('ann', 'How are the markets?')).toEqual(['For GPT.']);
  });

  it('never has a dearer model answer for the cheap one that was chosen', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_MODEL: '', FINCLAW_FALLBACKS: '' } });
    await engine.ask('ann', '/model haiku');
    engine.claude.otherwise(status(404));
    expect(await engine.ask('ann', 'How are the markets?')).toEqual([
      expect.stringMatching(/^ok\n\n_GPT-6 Luna /),
    ]);
    expect(requestsTo(engine.claude)).toEqual(['1111 claude-haiku-5-5 status']);
    expect(requestsTo(engine.gpt)).toEqual(['3333 gpt-6-luna answer']);
  });

  it('says what it does not know, with what was meant perhaps, and what has no key', async () => {
    const engine = await startEngineApp({ env: { OPENAI_API_KEY: '', FINCLAW_FALLBACKS: 'none' } });
    expect(await engine.ask('ann', '/model sonet')).toEqual([
      modelTexts('en').suggest({ name: 'sonet', choices: '`sonnet`' }),
    ]);
    expect(await engine.ask('ann', '/model quetzal')).toEqual([
      modelTexts('en').unknown({ name: 'quetzal' }),
    ]);
    expect(await engine.ask('ann', '/model gpt')).toEqual([
      modelTexts('en').noKey({ name: 'GPT-6.1 Sol', provider: 'OpenAI' }),
    ]);
    await engine.ask('ann', 'Who are you, please?');
    expect(requestsTo(engine.claude)).toEqual(['1111 claude-sonnet-5-5 answer']);
  });

  it('is switched in a group by administrators only, for all in it', async () => {
    const engine = await startEngineApp();
    expect(await engine.ask('ann', '/model haiku', IN_GROUP)).toEqual([modelTexts('en').adminsOnly()]);
    await engine.ask('ann', 'Who are you, please?', IN_GROUP);
    await engine.ask('boss', '/model haiku', IN_GROUP);
    await engine.ask('ann', 'And who are you now?', IN_GROUP);
    expect(engine.claude.history.map(({ body }) => body.model)).toEqual([
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
    ]);
  });
});

describe('/usage', () => {
  it('tells each person of their own requests, and the administrator of all, as the providers counted', async () => {
    const servers = await startServers({ claude: { minCacheTokens: 100 } });
    const engine = await startEngineApp({ servers });
    engine.claude.reply(callsTool('AAPL'), answer('Apple, as asked.'), status(500), answer('For Bob.'));
    await engine.ask('ann', 'How is Apple doing?');
    await engine.ask('bob', 'How are the markets?');
    await engine.ask('bob', '/model gpt');
    await engine.ask('bob', 'And who are you now?');
    const claude = engine.claude.history.map(({ usage }) => usage);
    const costOf = (usages: typeof claude, usd: readonly [number, number, number, number]): Decimal =>
      usages
        .reduce(
          (sum, used) =>
            sum
              .plus(new Decimal(used?.input ?? 0).times(usd[0]))
              .plus(new Decimal(used?.output ?? 0).times(usd[1]))
              .plus(new Decimal(used?.cacheRead ?? 0).times(usd[2]))
              .plus(new Decimal(used?.cacheWrite ?? 0).times(usd[3])),
          new Decimal(0),
        )
        .dividedBy(1_000_000);
    const tokens = (usages: typeof claude): readonly [string, string] => [
      formatCount(
        usages.reduce((sum, used) => sum + (used ? used.input + used.cacheRead + used.cacheWrite : 0), 0),
        'en',
      ),
      formatCount(
        usages.reduce((sum, used) => sum + (used?.output ?? 0), 0),
        'en',
      ),
    ];
    const ofAnn = claude.slice(0, 2);
    expect(ofAnn[1]?.cacheRead).toBeGreaterThan(0);
    const annUsd = formatUsd(costOf(ofAnn, [2, 10, 0.1, 2.5]), 'en');
    const [annIn, annOut] = tokens(ofAnn);
    const [own = ''] = await engine.ask('ann', '/usage', { locale: 'en' });
    const [, today = ''] = own.split('\n\n');
    expect(today.split('\n')[0]).toBe(`**Today** — ${annUsd}`);
    expect(today).toMatch(
      new RegExp(`^2 requests · ${annIn} tokens in \\(\\d+% from the cache\\) · ${annOut} out$`, 'm'),
    );
    expect(own).not.toContain('gpt');

    const all = [...claude, ...engine.gpt.history.map(({ usage }) => usage)];
    const gptUsd = costOf(all.slice(4), [2, 10, 0.1, 2.5]);
    const claudeUsd = costOf(claude, [2, 10, 0.1, 2.5]);
    const [allIn, allOut] = tokens(all);
    const [everybody = ''] = await engine.ask('boss', '/usage all');
    expect(everybody).toContain(`**Today** — ${formatUsd(claudeUsd.plus(gptUsd), 'en')}`);
    expect(everybody).toMatch(
      new RegExp(`^5 requests \\(1 failed\\) · ${allIn} tokens in .*· ${allOut} out$`, 'm'),
    );
    expect(everybody).toContain(
      `- \`claude-sonnet-5-5\` — ${formatUsd(claudeUsd, 'en')} · 4 requests (1 failed)`,
    );
    expect(everybody).toContain(`- \`gpt-6.1-sol\` — ${formatUsd(gptUsd, 'en')} · 1 request`);
    expect(await engine.ask('ann', '/usage all')).toEqual([
      commandTexts('en').missingRole({ name: 'usage all' }),
    ]);
    expect(await engine.ask('cem', '/usage')).toEqual([
      expect.stringContaining(modelUsageTexts('en').nothing()),
    ]);
    await engine.stop();
    expect(bookedIn(engine.dataDir)).toHaveLength(5);
  });
});

describe('/stop', () => {
  it('ends the answer, says so once, keeps what was said so far, and the conversation goes on', async () => {
    const engine = await startEngineApp();
    // Of a try that failed before nothing is kept.
    engine.claude.reply(
      { kind: 'cut', answer: { text: 'Void words. ' } },
      { kind: 'stall', answer: { text: 'The first half of the story' } },
    );
    const asked = engine.ask('ann', 'Tell me a long story.');
    await until(() => engine.claude.history.length === 2);
    await untilRead();
    expect(await engine.ask('ann', '/stop')).toEqual([stopTexts('en').done()]);
    expect(await asked).toEqual([failureTexts('en').stopped()]);
    await until(() => engine.claude.history[1]?.wasAborted() === true);
    expect(await engine.ask('ann', 'What did you say so far?')).toEqual(['ok']);
    expect(requestsTo(engine.claude)).toEqual([
      '1111 claude-sonnet-5-5 cut',
      '1111 claude-sonnet-5-5 stall',
      '1111 claude-sonnet-5-5 answer',
    ]);
    expect(lastAnswer(engine.claude.history[2]?.body)).toMatch(
      /^The first half of the story\n\n\[.*stopped.*\]$/,
    );
    expect(engine.gpt.history).toEqual([]);
    await engine.stop();
    const [, stopped] = bookedIn(engine.dataDir);
    expect(stopped).toMatchObject({ outcome: 'ok', input: engine.claude.history[1]?.usage?.input });
    expect(stopped?.output).toBeGreaterThan(5);
  });

  it('between two steps keeps the results that were there, and runs no tool again', async () => {
    const engine = await startEngineApp();
    engine.claude.reply(callsTool('AAPL', 'TSLA'), { kind: 'stall' });
    const asked = engine.ask('ann', 'Apple and Tesla, please?');
    await until(() => engine.claude.history.length === 2);
    await engine.ask('ann', '/stop');
    expect(await asked).toEqual([failureTexts('en').stopped()]);
    expect(await engine.ask('ann', 'What about Tesla now?')).toEqual(['ok']);
    expect(requestsTo(engine.claude).at(-1)).toBe('1111 claude-sonnet-5-5 answer');
    expect(countInLog(engine.log, 'tool:execute:start')).toBe(1);
  });

  it('while a key rests ends the wait too', async () => {
    const engine = await startEngineApp();
    engine.claude.reply(status(429, 20));
    const asked = engine.ask('ann', 'How are the markets?');
    await engine.clock.untilWaiting(20_000);
    await engine.ask('ann', '/stop');
    expect(await asked).toEqual([failureTexts('en').stopped()]);
    expect([engine.claude.history.length, engine.gpt.history.length]).toEqual([1, 0]);
  });

  it('is for who asked, and for administrators', async () => {
    const engine = await startEngineApp();
    engine.claude.reply({ kind: 'stall' });
    const asked = engine.ask('ann', 'Tell me a long story.', IN_GROUP);
    await until(() => engine.claude.history.length === 1);
    expect(await engine.ask('bob', '/stop', IN_GROUP)).toEqual([stopTexts('en').notYours()]);
    expect(await engine.ask('boss', '/stop', IN_GROUP)).toEqual([stopTexts('en').done()]);
    expect(await asked).toEqual([failureTexts('en').stopped()]);
    expect(await engine.ask('boss', '/stop', IN_GROUP)).toEqual([stopTexts('en').nothing()]);
  });
});
