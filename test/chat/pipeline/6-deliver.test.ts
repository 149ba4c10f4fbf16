import { describe, expect, it } from 'vitest';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { asId, type ChannelId, type ChatId, type InboxId } from '#src/kernel/ids.ts';
import { MAX_PRESSED_CHARS, type TurnContext } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { PipelineError } from '#src/chat/delivery/errors.ts';
import type { Answered } from '#src/chat/pipeline/stage-types.ts';
import { extractControlTokens } from '#src/chat/delivery/control-tokens.ts';
import { asksFeedback, deliver } from '#src/chat/pipeline/6-deliver.ts';
import { acknowledged, fact, NEVER_ABORTED, setUpDelivery } from '#test/chat/pipeline/support.ts';
import { msgContext } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';

const NOTHING_BESIDE: Answered['displayed'] = { isBare: false, isUnclear: false, choices: [] };

const setUp = async (feedbackMode: 'on' | 'off' = 'off') => {
  const base = await setUpDelivery({ capabilities: { feedbackMode } });
  const stage = deliver({ delivery: base.delivery, feedback: { channels: {} } });
  const answered = async (
    cleanContent: string,
    ctx: Partial<TurnContext> = {},
    facts: readonly Fact[] = [],
  ): Promise<Answered> => {
    const input = await acknowledged({ ctx: msgContext(ctx), channel: base.channel });
    const { match, channel } = input;
    return {
      ...input,
      enriched: {
        ...input.ctx,
        agentId: match.agentId,
        channelCapabilities: channel.capabilities,
        unavailable: [],
        attachments: [],
      },
      answer: extractControlTokens(cleanContent),
      result: {
        status: 'completed',
        content: 'raw text with <<ATTACH_QUOTE>>',
        facts,
        isCut: false,
      },
      displayed: NOTHING_BESIDE,
    };
  };
  return { ...base, stage, answered };
};

const receipt = (number: number) => ({
  effect: 'recorded' as const,
  text: `✅ Recorded as #${number}\nBought ${number} of Apple`,
  choices: [{ label: `Undo #${number}`, command: `/portfolio undo ${number}`, isDestructive: true }],
});

describe('deliver stage', () => {
  it('sends the cleaned answer and reports its parts', async () => {
    const { stage, answered, channel } = await setUp();
    const result = await stage.execute(await answered('Apple rose.'), NEVER_ABORTED);
    expect(result).toMatchObject({ action: 'continue', data: { parts: 1, failed: 0 } });
    expect(channel.texts).toEqual(['Apple rose.']);
  });

  it('has an answer marked that rests on sample data', async () => {
    const { stage, answered, channel } = await setUp();
    await stage.execute(await answered('Apple rose.', { locale: 'ko' }, [fact(true)]), NEVER_ABORTED);
    expect(channel.texts).toEqual([`Apple rose.\n\n${marketNoteTexts('ko').sampleMark()}`]);
  });

  it.each(['en', 'ko'] as const)('makes a sentence of an empty answer (%s)', async (locale) => {
    const { stage, answered, channel } = await setUp();
    await stage.execute(await answered('', { locale }), NEVER_ABORTED);
    expect(channel.texts).toEqual([failureTexts(locale).emptyAnswer()]);
  });

  it('offers to explain the numbers of this very answer, behind the zones that it asks about', async () => {
    const { stage, answered, channel } = await setUp();
    const input = await answered('$304.12', { locale: 'ko', timeZone: 'Asia/Seoul', zoneFrom: 'language' });
    const choices = async (result: Partial<Answered['result']>) => {
      const inboxId = newId<InboxId>();
      const ctx = { ...input.ctx, inboxId };
      await stage.execute({ ...input, ctx, result: { ...input.result, ...result } }, NEVER_ABORTED);
      return { inboxId, offered: channel.sent.at(-1)?.payload.choices ?? [] };
    };
    expect((await choices({})).offered).toEqual([]);
    const plain = await choices({ isExplainable: true });
    expect(plain.offered).toEqual([{ label: '근거', command: `/why ${plain.inboxId}` }]);
    const asking = await choices({ isExplainable: true, dependsOnZone: true });
    expect(asking.offered.at(-1)).toEqual({ label: '근거', command: `/why ${asking.inboxId}` });
    expect(asking.offered.length).toBeGreaterThan(1);
    for (const { command } of asking.offered) expect(command.length).toBeLessThanOrEqual(MAX_PRESSED_CHARS);
  });

  it('offers what people do next with what is shown, between the zones and the sources', async () => {
    const { stage, answered, channel } = await setUp('on');
    const input = await answered('Apple rose.', {
      locale: 'en',
      timeZone: 'Asia/Seoul',
      zoneFrom: 'language',
    });
    const controls = Array.from({ length: 30 }, (_none, at) => ({
      label: `${at}`,
      command: `/chart AAPL ${at}`,
      effect: 'replaces' as const,
    }));
    const result = { ...input.result, isExplainable: true, dependsOnZone: true };
    const shown = { ...NOTHING_BESIDE, choices: controls };
    await stage.execute({ ...input, result, displayed: shown }, NEVER_ABORTED);
    const offered = channel.sent.at(-1)?.payload.choices ?? [];
    const commands = offered.map(({ command }) => command);
    expect(commands.filter((command) => !command.startsWith('/chart'))).toEqual([
      '/profile timezone Asia/Seoul',
      '/profile timezone',
      `/why ${input.ctx.inboxId}`,
    ]);
    // Two of 25 are the thumbs.
    expect(offered).toHaveLength(23);
    expect(offered.at(-1)?.command).toMatch(/^\/why /);
  });

  it('tells what was changed below the words, with buttons that fit on every platform', async () => {
    const { stage, answered, channel } = await setUp();
    const payloadOf = async (words: string, numbers: readonly number[]) => {
      const input = await answered(words);
      const ctx = { ...input.ctx, inboxId: newId<InboxId>() };
      const result = { ...input.result, receipts: numbers.map(receipt) };
      await stage.execute({ ...input, ctx, result }, NEVER_ABORTED);
      return channel.sent.at(-1)?.payload;
    };
    expect(await payloadOf('Done.', [1])).toMatchObject({
      text: 'Done.\n\n✅ Recorded as #1\nBought 1 of Apple',
      choices: [{ label: 'Undo #1', effect: 'once' }],
    });
    expect((await payloadOf('Both done.', [1, 2]))?.text).toBe(
      'Both done.\n\n✅ Recorded as #1 · Bought 1 of Apple\n✅ Recorded as #2 · Bought 2 of Apple',
    );
    // The offline model says the same with more around it.
    const said = '✅ Recorded as #1\nBought 1 of Apple\nNow held: 1';
    expect((await payloadOf(said, [1]))?.text).toBe(said);
    expect((await payloadOf('', [1]))?.text).toBe(receipt(1).text);
    const many = Array.from({ length: 30 }, (_none, index) => index + 1);
    expect((await payloadOf('All done.', many))?.choices).toHaveLength(15);
  });

  it('offers nothing under a question whose answer may be a number, where numbers pick', async () => {
    const { stage, answered, channel } = await setUp();
    const controls = [{ label: 'Chart', command: '/chart AAPL' }];
    const capabilities = { ...channel.capabilities, numbersChoices: true };
    const numbering = Object.create(channel, { capabilities: { value: capabilities } }) as typeof channel;
    const offered = async (words: string, to: Answered['channel'] = numbering, more: object = {}) => {
      const input = await answered(words);
      const ctx = { ...input.ctx, inboxId: newId<InboxId>() };
      const shown = { ...NOTHING_BESIDE, choices: controls, ...more };
      await stage.execute({ ...input, ctx, displayed: shown, channel: to }, NEVER_ABORTED);
      return channel.sent.at(-1)?.payload.choices ?? [];
    };
    expect(await offered('How many do you hold?')).toEqual([]);
    expect(await offered('Tell me how many. <<NEED_INPUT>>')).toEqual([]);
    expect(await offered('Apple rose.')).toEqual(controls);
    expect(await offered('How many do you hold?', channel)).toEqual(controls);
    // The number answers the question, or the words are the tool's.
    expect(await offered('Which one is it?', numbering, { isUnclear: true })).toEqual(controls);
    expect(await offered('Which one is it?', numbering, { isBare: true })).toEqual(controls);
  });

  it('asks what readers think of the answer of a model, and not of a sentence in its place', async () => {
    const { stage, answered, channel } = await setUp('on');
    const input = await answered('Apple rose.');
    const answeredBy = { provider: 'anthropic', model: 'claude-sonnet-5-5' } as const;
    await stage.execute({ ...input, result: { ...input.result, answeredBy } }, NEVER_ABORTED);
    expect(channel.sent.at(-1)?.payload.rated).toEqual({ answerId: input.ctx.inboxId, ...answeredBy });
    const inboxId = newId<InboxId>();
    const empty = await answered('');
    await stage.execute({ ...empty, ctx: { ...empty.ctx, inboxId } }, NEVER_ABORTED);
    expect(channel.sent.at(-1)?.payload).not.toHaveProperty('rated');
  });

  everyRow([
    [{}, 'direct', 'direct', true],
    [{}, 'channel', 'direct', false],
    [{}, 'channel', 'on', true],
    [{}, 'direct', undefined, false],
    [{ mode: 'on' }, 'direct', undefined, false],
    [{ mode: 'off' }, 'direct', 'on', false],
    [{ mode: 'off', channels: { test: 'on' } }, 'group', 'direct', true],
    [{ channels: { test: 'on', 'test:room': 'off' } }, 'channel', 'direct', false],
  ] as const)('asks as configured, or else as the channel prefers', (settings, chatType, preferred, asks) => {
    const place = { channelId: asId<ChannelId>('test'), chatId: asId<ChatId>('room'), chatType };
    expect(asksFeedback({ channels: {}, ...settings }, place, preferred)).toBe(asks);
  });

  it('aborts with DELIVERY_FAILED when the platform would not take a part', async () => {
    const { stage, answered, channel, clock } = await setUp();
    channel.failNextSends(3);
    const delivered = stage.execute(await answered('Apple rose.'), NEVER_ABORTED);
    await clock.advance(60_000);
    const result = await delivered;
    expect(result).toMatchObject({
      action: 'abort',
      reason: '1 of 1 parts could not be delivered',
      error: { code: 'DELIVERY_FAILED' },
    });
    expect(result.action === 'abort' && result.error).toBeInstanceOf(PipelineError);
  });
});
