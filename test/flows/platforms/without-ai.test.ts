import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#test/support/broker.ts';
import { answer } from '#test/support/engine-app.ts';
import { createLeapingClock } from '#test/support/leaping-clock.ts';
import { openDiscord, discordKit } from '#test/support/platforms/discord.ts';
import { personalTalk } from '#test/support/platforms/personal-talk.ts';
import { pressable } from '#test/support/platforms/presses.ts';
import { startTalk, type Talk } from '#test/support/platforms/talk.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';

/** Retries wait for seconds. */
const HASTE = 10;
/** A turn has its limit by the same clock. */
const PATIENT = { pipeline: { privacyNote: false, timeoutSeconds: 3_600 } };
const WITHOUT_AI = /Answered without AI: /gu;

/** The last one is told of for the rest of the day, because the key rests. */
const FAILURES: readonly (readonly [string, FakeReply, RegExp])[] = [
  ['529', { kind: 'status', status: 529 }, /cannot be reached/u],
  ['a lost connection', { kind: 'reset' }, /cannot be reached/u],
  ['429', { kind: 'status', status: 429, retryAfterSeconds: 120 }, /reached its limit/u],
];

describe('when no AI model answers', () => {
  const clock = createLeapingClock(HASTE);
  let started: Talk | undefined;
  const talk = (): Talk => {
    if (!started) throw new Error('The bot has not been started');
    return started;
  };
  beforeAll(async () => {
    const open = () => openDiscord({ now: () => clock.outside.now().epochMilliseconds });
    started = await startTalk({ ...discordKit, open }, { clock, config: () => PATIENT });
  });
  afterAll(() => started?.close());
  let people = 0;
  const meet = () => {
    people += 1;
    return personalTalk(discordKit, talk(), `ann${people}`, { locale: 'en' });
  };

  it.each(FAILURES)(
    'the rules answer what they read, and say so in a line: %s',
    async (_name, failure, why) => {
      // Breakers and keys that rest are back by then.
      clock.leap(3_600_000);
      talk().claude.otherwise(failure);
      const ann = meet();
      const price = await ann.type('AAPL price', /Answered without AI/u);
      expect(price.text).toMatch(/Apple \(AAPL\): \$[\d,.]+ [▲▼]/u);
      expect(price.text.match(WITHOUT_AI)).toHaveLength(1);
      expect(price.text).toMatch(why);
      expect(price.text).not.toContain('offline model');
      expect(price.cards).toBe(1);
      expect(pressable(price)).toEqual(['Chart', 'News', 'Alert', 'Watch', 'Refresh']);
      const silent = await ann.type('Write me a poem about patience', why);
      expect(silent.text).not.toMatch(WITHOUT_AI);
      expect(silent.text).toMatch(/\(error /u);
    },
  );

  it('records once, after the approval, with its receipt', async () => {
    const ann = meet();
    await ann.type('I bought 10 AAPL at 190.5 on November 12', /Shall I do this\?/u);
    const told = await ann.type('yes', /Recorded #1 in .*main[^]*Answered without AI/u);
    expect(pressable(told)).toContain('Undo #1');
    const history = await ann.type('/portfolio history', /#1/u);
    expect(history.text).not.toContain('#2');
  });

  it('leaves the rest of the conversation to the model when that is back', async () => {
    clock.leap(3_600_000);
    const ann = meet();
    talk().claude.otherwise({ kind: 'status', status: 529 });
    await ann.type('AAPL price', /Answered without AI/u);
    clock.leap(3_600_000);
    talk().claude.otherwise(answer('I am back.'));
    const back = await ann.type('AAPL price', /I am back\./u);
    expect(back.text).not.toMatch(WITHOUT_AI);
  });

  it('does nothing by itself once the model has called a tool', async () => {
    clock.leap(3_600_000);
    const ann = meet();
    talk().claude.reply(
      calls({
        name: 'set_alert',
        input: { symbol: 'AAPL', condition: 'above', value: '900', isSure: true },
      }),
    );
    talk().claude.otherwise({ kind: 'status', status: 529 });
    const told = await ann.type('Tell me when AAPL rises above 900', /cannot be reached[^]*Alert set/u);
    expect(told.text).not.toMatch(WITHOUT_AI);
    await ann.type('/alerts', /Your alerts: 1 of/u);
  });

  it('and the bot kept the manners of the platform all the while', () => {
    expect(talk().platform.offences()).toEqual([]);
  });
});
