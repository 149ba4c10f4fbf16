import { describe, expect, it, onTestFinished } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { answer } from '#test/support/engine-app.ts';
import { calls } from '#test/support/broker.ts';
import { consoleKit } from '#test/support/platforms/console.ts';
import { discordKit } from '#test/support/platforms/discord.ts';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { slackKit } from '#test/support/platforms/slack.ts';
import { pressable } from '#test/support/platforms/presses.ts';
import { personalTalk } from '#test/support/platforms/personal-talk.ts';
import { startTalk } from '#test/support/platforms/talk.ts';

const KITS = [discordKit, slackKit, consoleKit];
const alert = (symbol: string, value: string) => ({
  name: 'set_alert',
  input: { symbol, condition: 'above', value, isSure: true },
});
const trade = (symbol: string) => ({
  name: 'record_transaction',
  input: { kind: 'buy', symbol, quantity: '10', price: '190.5', date: '2026-11-12' },
});
const start = async (kit: PlatformKit) => {
  const talk = await startTalk(kit);
  onTestFinished(talk.close);
  const ann = personalTalk(kit, talk, 'ann', { locale: 'en' });
  const seenNow = (id: string) =>
    talk.platform.seenBy(ann.person, ann.direct).filter((each) => each.id === id);
  return { ...talk, ann, seenNow };
};

describe.for(KITS)('what a model has changed for a person on $name', (kit) => {
  it('is told below its answer with the buttons of the command, whatever it says', async () => {
    const { claude, ann, platform } = await start(kit);
    claude.reply(calls(trade('AAPL')), answer('Anything else?'));
    const question = await ann.type('I bought 10 Apple at 190.5', /Shall I do this\?/u);
    const receipt = /Anything else\?[^]*Recorded #1 in .*main[^]*Bought 10 Apple/u;
    const told = kit.can.buttons
      ? await ann.next(ann.direct, receipt, () =>
          platform.press(ann.person, question, channelTexts('en').approve()),
        )
      : await ann.type('yes', receipt);
    const UNDO = '/portfolio undo 1 --in=main';
    // A number might be the answer to the question of the model, so in a terminal the command is named.
    if (!kit.can.buttons) expect(told.text).toContain(UNDO);
    await ann.choose(told, /^Undo #1$/u, UNDO, /Undone: #1 in .*main/u);
  });

  it('stands in a line for each change, and a press uses up its own button alone', async () => {
    const { claude, ann, seenNow } = await start(kit);
    const watch = { name: 'manage_watchlist', input: { action: 'add', names: ['NVDA'] } };
    claude.reply(calls(alert('AAPL', '900'), alert('TSLA', '950'), watch), answer('Done.'));
    const told = await ann.type(
      'Tell me when Apple is at 900 and Tesla at 950, and watch Nvidia',
      /Done\.[^]*Alert set.*Apple.*900.*\n.*Alert set.*Tesla.*950.*\n.*Added NVIDIA/u,
    );
    expect(told.text.match(/Alert set/gu)).toHaveLength(2);
    if (kit.can.buttons) {
      await ann.choose(told, /^Delete AAPL/u, '', /Deleted: .*Apple/u);
      expect(seenNow(told.id).flatMap(pressable)).toEqual([
        expect.stringMatching(/^Delete TSLA/u),
        'Undo',
        'Show list',
      ]);
      await ann.choose(told, /^Delete TSLA/u, '', /Deleted: .*Tesla/u);
      expect(seenNow(told.id).flatMap(pressable)).toEqual(['Undo', 'Show list']);
    } else {
      await ann.type('2', /Delete TSLA.*: are you sure/u);
      await ann.type('y', /Deleted: .*Tesla/u);
    }
  });

  it('is told where the model fails afterwards, and where it falls silent', async () => {
    const { claude, ann } = await start(kit);
    claude.reply(calls(alert('TSLA', '950')), answer('<<NO_REPLY>>'));
    const silent = await ann.type('Tell me when Tesla is at 950', /Alert set[^]*950/u);
    expect(silent.text).not.toContain('NO_REPLY');
    claude.reply(calls(alert('AAPL', '900')), { kind: 'status', status: 401 });
    await ann.type('And when Apple is at 900', /key[^]*Alert set[^]*900/u);
  });

  it('has no receipt where the call failed', async () => {
    const { claude, ann } = await start(kit);
    claude.reply(
      calls({ ...trade('AAPL'), input: { ...trade('AAPL').input, kind: 'sell' } }),
      answer('Well.'),
    );
    const told = await ann.type('I sold 10 Apple', /Well\./u);
    expect(told.text).not.toMatch(/#1|Recorded/u);
    expect(pressable(told)).toEqual([]);
  });
});
