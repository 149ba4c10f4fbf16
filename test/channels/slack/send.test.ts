import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Card } from '#src/kernel/chat/card.ts';
import { asId, type MessageId, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { temporaryDir } from '#test/support/database.ts';
import { NEVER, outbound, setUpChannel, targetIn, threadTarget } from './fixture.ts';

const card: Card = {
  title: 'Apple',
  headline: '$230.10 ▲ 1.2 %',
  fields: [{ name: 'Volume', value: '<1,000' }],
  footer: 'Yahoo · 15:30',
  tone: 'up',
};

describe('what goes out to Slack', () => {
  it('is a Markdown block in the thread, with tables, cards and buttons, calls nobody, and hides no link in a time', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const text =
      '**Look** <!channel> @here <!subteam^S1> <!date^1^Your bank^https://evil.example|now>\n\n| name | price |\n|---|---|\n| 삼성 | 70,000 |\n\nmore\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    const { messageId } = await channel.send(
      outbound(threadTarget(fake.general.id, fake.alice.id, asked.ts), text, {
        payload: { cards: [card], choices: [{ label: 'Tesla', command: '/price TSLA' }] },
      }),
      NEVER,
    );
    const [, seen] = fake.messagesIn(fake.general.id, asked.ts);
    expect(seen?.ts).toBe(messageId);
    expect(seen?.blocks.map(({ type }) => type)).toEqual(
      'markdown table markdown header section section context actions'.split(' '),
    );
    expect(seen?.rendered).toContain('삼성 | 70,000');
    expect(seen?.rendered).toContain('```\na  b\n');
    expect(seen?.rendered).toContain('🟢 *$230.10');
    expect(seen && fake.pinged(seen)).toEqual([]);
    expect(seen?.rendered.replaceAll('\u2060', '')).toContain('‹!channel> @here');
    expect(seen?.rendered).toContain('‹!date^1^');
    expect(entriesOf(fake.history, 'offence')).toEqual([]);
  });

  it('tells a struck number in a table from the one in its place', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const text = '| name | price |\n|---|---|\n| 삼성 | ~~201,300원~~ ₩102,300 |\n| 애플 | ~~old~~ |\n';
    await channel.send(outbound(targetIn(fake.general.id, fake.alice.id), text), NEVER);
    const [shown] = fake.botMessagesIn(fake.general.id);
    expect(shown?.blocks.map(({ type }) => type)).toEqual(['table']);
    expect(shown?.rendered).toContain('삼성 | 201,300원 → ₩102,300');
    expect(shown?.rendered).toContain('애플 | old');
  });

  it('shows times in the zone of each reader, and as text where Slack does not support times', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const target = targetIn(fake.general.id, fake.alice.id);
    const text = [
      '**KRX** opens next: Mon 2026-11-16 09:00 KST (in 2 days)',
      '- a list, 2026-11-13 15:30 KST',
      'A paragraph with `code` and 2026-11-13 15:30 KST.',
      'As of 2026-11-13 15:30 KST & later',
    ].join('\n\n');
    const footer = 'as of 2026-11-13 15:30 KST · source: Yahoo';
    await channel.send(outbound(target, text, { payload: { cards: [{ ...card, footer }] } }), NEVER);
    await channel.send(outbound(target, text, { payload: { ephemeral: true } }), NEVER);
    const [shown, toOne] = fake.botMessagesIn(fake.general.id);
    expect(shown?.blocks.slice(0, 3)).toEqual([
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*KRX* opens next: <!date^1794787200^{date_long_pretty} {time}|Mon 2026-11-16 09:00 KST> (in 2 days)',
        },
      },
      {
        type: 'markdown',
        text: '- a list, 2026-11-13 15:30 KST\n\nA paragraph with `code` and 2026-11-13 15:30 KST.',
      },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: 'As of <!date^1794551400^{date_short_pretty} {time}|2026-11-13 15:30 KST> &amp; later',
        },
      },
    ]);
    expect(JSON.stringify(shown?.blocks.at(-1))).toContain(
      'as of <!date^1794551400^{date_short_pretty} {time}|2026-11-13 15:30 KST> · source: Yahoo',
    );
    // What a phone shows of it is plain, in the zone of the one who asked.
    expect(shown?.text).toContain('Mon 2026-11-16 09:00 KST');
    expect(shown?.text).not.toContain('<!date');
    expect(toOne?.blocks).toEqual([{ type: 'markdown', text }]);
    expect(entriesOf(fake.history, 'offence')).toEqual([]);
  });

  it('notifies in plain words, the answer first', async () => {
    const { fake, channel } = await setUpChannel();
    const text = [
      '애플은 **$304.12**로 [올랐습니다](https://example.com/a).',
      '',
      '## Prices',
      '| Name | Price |',
      '| --- | ---: |',
      '| **Apple** | $304.12 |',
      '```',
      'code',
      '```',
      '-# source: `Yahoo`',
    ].join('\n');
    await channel.send(outbound(targetIn(fake.general.id, fake.alice.id), text), NEVER);
    const [shown] = fake.botMessagesIn(fake.general.id);
    expect(shown?.text.split('\n')).toEqual([
      expect.stringMatching(/^애플은 \$304\.12로 올랐습니다/u),
      '',
      'Prices',
      'Name · Price',
      'Apple · $304.12',
      'code',
      'source: Yahoo',
    ]);
  });

  it('mentions the one intended person, and nobody else who is named in the text', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const { id: alice } = fake.alice;
    const other = fake.addUser({ name: 'lee' }).id;
    const target = targetIn(fake.general.id, alice);
    const text = `<!channel> <@${other}> <@${other}|lee> came true`;
    await channel.send(outbound(target, text, { payload: { mentions: asId<UserId>(alice) } }), NEVER);
    await channel.send(outbound(target, text), NEVER);
    const seen = fake.botMessagesIn(fake.general.id);
    expect(seen.map(fake.rung)).toEqual([[alice], []]);
    expect(seen.flatMap(fake.pinged)).toEqual([]);
  });

  it.each([
    ['en', '🟢'],
    ['ko', '🔴'],
  ] as const)('marks a gain for a reader in %s, whatever language its words are in', async (locale, sign) => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const target = targetIn(fake.general.id, fake.alice.id);
    const cards = [card, { ...card, title: '기본' }];
    await channel.send(outbound(target, '기본', { payload: { cards, locale } }), NEVER);
    const [seen] = fake.botMessagesIn(fake.general.id);
    expect(seen?.rendered.match(/[🔴🟢🔵]/gu)).toEqual([sign, sign]);
  });

  it('has no previews of links, and shows where they lead, in whatever way it goes out', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const target = threadTarget(fake.general.id, fake.alice.id, asked.ts);
    const link = '[Your bank](https://evil.example/x?d=1)\u202e';
    const { messageId } = await channel.send(outbound(target, link), NEVER);
    await channel.send(outbound(target, `again: ${link}`, { replaces: messageId }), NEVER);
    await channel.send(outbound(target, link, { payload: { ephemeral: true } }), NEVER);
    const { responseUrl } = fake.command(fake.alice.id, fake.general.id, '/price', 'AAPL');
    const interaction = { token: responseUrl, isPrivate: false };
    await channel.send(outbound(targetIn(fake.general.id, fake.alice.id, { interaction }), link), NEVER);
    const visible = 'Your bank (<https://evil.example/x?d=1>)';
    expect(fake.botMessagesIn(fake.general.id).map(({ blocks }) => blocks[0]?.['text'])).toEqual([
      `again: ${visible}`,
      visible,
      visible,
    ]);
    const bare = '[Your bank](www.evil.example/login) [there][x]\n\n[x]: //evil.example';
    await channel.send(outbound(target, bare), NEVER);
    expect(fake.botMessagesIn(fake.general.id).at(-1)?.blocks[0]?.['text']).toBe(
      'Your bank (www.evil.example/login) [there][x]\n\nx: //evil.example',
    );
    // Else the fake would have refused it.
    const [posted] = fake.botMessagesIn(fake.general.id);
    expect(posted?.flags).toMatchObject({ unfurl_links: false, unfurl_media: false });
  });

  it('searches for a message that may have arrived before it sends again, in a thread and in a direct chat', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const targets = [
      threadTarget(fake.general.id, fake.alice.id, asked.ts),
      targetIn(fake.alice.id, fake.alice.id, { isDirect: true }),
    ];
    for (const target of targets) {
      const message = outbound(target, 'once');
      const inDoubtSince = systemClock.now();
      fake.fail('chat.postMessage', { kind: 'dropped-after' });
      await expect(channel.send(message, NEVER)).rejects.toMatchObject({ failure: 'unreachable' });
      const { messageId } = await channel.send({ ...message, inDoubtSince }, NEVER);
      const again = await channel.send({ ...message, inDoubtSince }, NEVER);
      expect(again.messageId).toBe(messageId);
    }
    const counted = [fake.general.id, fake.directOf(fake.alice.id).id].map(
      (id) => fake.botMessagesIn(id).length,
    );
    expect(counted).toEqual([1, 1]);
  });

  it('keeps code within a line in the words of its notification, although it looks like a fence', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const target = targetIn(fake.general.id, fake.alice.id);
    await channel.send(outbound(target, '``` x = 1 ```\n```js\ny = 2\n```'), NEVER);
    expect(fake.botMessagesIn(fake.general.id).map(({ text }) => text.replaceAll('`', '').trim())).toEqual([
      expect.stringMatching(/^x = 1 *\ny = 2$/),
    ]);
  });

  it('says whether a refusal is final', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const target = targetIn(fake.general.id, fake.alice.id);
    fake.fail('chat.postMessage', { kind: 'status', status: 503 });
    await expect(channel.send(outbound(target, 'x'), NEVER)).rejects.toMatchObject({
      failure: 'unreachable',
    });
    fake.fail('chat.postMessage', { kind: 'error', error: 'msg_too_long' });
    await expect(channel.send(outbound(target, 'x'), NEVER)).rejects.toMatchObject({
      failure: 'refused',
      message: 'Slack refused chat.postMessage: msg_too_long',
    });
    // A wrong token is mended some day: what is owed is not lost by it.
    for (const error of ['invalid_auth', 'token_revoked', 'account_inactive']) {
      fake.breakToken(error);
      await expect(channel.send(outbound(target, 'x'), NEVER)).rejects.toMatchObject({
        failure: 'unreachable',
        message: `Slack refused chat.postMessage: ${error}`,
      });
    }
  });

  it('waits for the limit of its own chat only, keeps the order, and can be aborted', async () => {
    const clock = new ManualClock();
    const { fake, channel } = await setUpChannel({ isStarted: false, clock, fake: { clock } });
    const other = fake.addChannel({ name: 'other' });
    fake.fail('chat.postMessage', { kind: 'rate-limited', retryAfterS: 12 }, { channel: fake.general.id });
    const stop = new AbortController();
    const here = targetIn(fake.general.id, fake.alice.id);
    const first = channel.send(outbound(here, 'first'), stop.signal);
    const refused = expect(first).rejects.toThrow('stopped');
    const others = ['second', 'third'].map((text) => channel.send(outbound(here, text), NEVER));
    await channel.send(outbound(targetIn(other.id, fake.alice.id), 'at once'), NEVER);
    await fake.until(() => clock.pendingTimers > 0);
    // Whoever was told of the limit is gone; it holds for those behind all the same.
    stop.abort(new Error('stopped'));
    await refused;
    await clock.advance(11_000);
    expect(fake.botMessagesIn(fake.general.id)).toEqual([]);
    await clock.advance(1_000);
    await Promise.all(others);
    expect(fake.botMessagesIn(fake.general.id).map(({ text }) => text)).toEqual(['second', 'third']);
    expect(entriesOf(fake.history, 'offence')).toEqual([]);
  });

  it('fails at once on a long limit, with its duration', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    fake.fail('chat.postMessage', { kind: 'rate-limited', retryAfterS: 20 });
    const target = targetIn(fake.general.id, fake.alice.id);
    await expect(channel.send(outbound(target, 'x'), NEVER)).rejects.toMatchObject({
      failure: 'rate-limited',
      retryAfterMs: 20_000,
    });
  });

  it('is paced to the rate of Slack', async () => {
    const clock = new ManualClock();
    const { fake, channel } = await setUpChannel({
      isStarted: false,
      clock,
      fake: { clock, messagesPerSecondPerChannel: 1, messageBurst: 3 },
    });
    const sent = Array.from({ length: 5 }, (_none, index) =>
      channel.send(outbound(targetIn(fake.general.id, fake.alice.id), String(index)), NEVER),
    );
    await sent[2];
    for (const each of sent.slice(3)) {
      await fake.until(() => clock.pendingTimers > 0);
      await clock.advance(1_000);
      await each;
    }
    expect(fake.botMessagesIn(fake.general.id).map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4']);
    expect(entriesOf(fake.history, 'response').every(({ status }) => status === 200)).toBe(true);
  });

  it('does not wait while Slack holds any number of reactions', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const { promise, resolve } = Promise.withResolvers<void>();
    onTestFinished(() => resolve());
    fake.fail('reactions.add', { kind: 'held', until: promise }, { times: 1_000 });
    const reactions = Array.from({ length: 100 }, async () => {
      const { ts } = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
      const target = targetIn(fake.general.id, fake.alice.id, { replyToMessageId: asId<MessageId>(ts) });
      await channel.addReaction?.(target, '👀');
    });
    const posted = channel.send(outbound(targetIn(fake.general.id, fake.alice.id), 'an answer'), NEVER);
    await fake.until(() => fake.botMessagesIn(fake.general.id).length > 0, { what: 'the answer' });
    await posted;
    resolve();
    await Promise.all(reactions);
  });

  it('replaces a live message, or is posted if that was deleted', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const target = threadTarget(fake.general.id, fake.alice.id, asked.ts);
    const { messageId } = await channel.send(outbound(target, 'half'), NEVER);
    await channel.send(outbound(target, 'whole', { replaces: messageId }), NEVER);
    await channel.send(outbound(target, 'new', { replaces: asId<MessageId>('1111111111.000001') }), NEVER);
    expect(fake.botMessagesIn(fake.general.id).map(({ rendered }) => rendered)).toEqual(['whole', 'new']);
  });

  it('shows a private answer to one person, or in their direct chat where they cannot see it', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const gone = fake.addUser({ name: 'gone' });
    const privately = { payload: { ephemeral: true } };
    await channel.send(
      outbound(threadTarget(fake.general.id, fake.alice.id, asked.ts), 'yours', privately),
      NEVER,
    );
    await channel.send(outbound(targetIn(fake.general.id, gone.id), 'theirs', privately), NEVER);
    // Slack hides it in a thread that has no answer yet.
    const root = { threadId: asId<ThreadId>(asked.ts), replyToMessageId: asId<MessageId>(asked.ts) };
    await channel.send(outbound(targetIn(fake.general.id, fake.alice.id, root), 'first', privately), NEVER);
    const [seen, first, ...others] = fake.botMessagesIn(fake.general.id);
    expect(seen).toMatchObject({ rendered: 'yours', ephemeralFor: fake.alice.id, threadTs: asked.ts });
    expect(first).toMatchObject({ rendered: 'first', ephemeralFor: fake.alice.id });
    expect(first?.threadTs).toBeUndefined();
    expect(others).toEqual([]);
    expect(fake.botMessagesIn(fake.directOf(gone.id).id)[0]?.rendered).toBe('theirs');
  });

  it('uploads files with their descriptions; the text is sent even if a file fails', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const path = join(temporaryDir(), 'chart.png');
    writeFileSync(path, 'png');
    const media = ['chart.png', 'lost.csv'].map((name) => ({
      kind: name.endsWith('png') ? ('image' as const) : ('file' as const),
      mimeType: name.endsWith('png') ? 'image/png' : 'text/csv',
      name,
      url: pathToFileURL(path.replace('chart.png', name)).href,
      altText: 'A chart of Apple',
    }));
    await channel.send(
      outbound(threadTarget(fake.general.id, fake.alice.id, asked.ts), 'Here:', { payload: { media } }),
      NEVER,
    );
    const [words, files] = fake.botMessagesIn(fake.general.id);
    expect(words?.rendered).toBe('Here:\n(The file lost.csv could not be sent.)');
    expect(files?.files).toMatchObject([{ name: 'chart.png', altText: 'A chart of Apple' }]);
    expect(files?.threadTs).toBe(asked.ts);

    // To one person alone no file can be shown in a channel: it is said where it is.
    await channel.send(
      outbound(targetIn(fake.general.id, fake.alice.id), 'Yours:', { payload: { media, ephemeral: true } }),
      NEVER,
    );
    expect(fake.botMessagesIn(fake.general.id).at(-1)?.rendered).toBe(
      'Yours:\n(The file chart.png is in your direct messages with me.)\n(The file lost.csv could not be sent.)',
    );
    expect(fake.botMessagesIn(fake.directOf(fake.alice.id).id)[0]?.files).toMatchObject([
      { name: 'chart.png' },
    ]);
    expect(entriesOf(fake.history, 'offence')).toEqual([]);
  });
});
