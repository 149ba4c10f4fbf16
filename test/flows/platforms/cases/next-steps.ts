import { expect, it } from 'vitest';
import { alertTexts } from '#src/features/alerts/texts.ts';
import { answer } from '#test/support/engine-app.ts';
import type { Person, Place, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { eventually, type Talk } from '#test/support/platforms/talk.ts';

const LEVEL = alertTexts('en').other.label;
const labelsOf = ({ buttons }: Seen): readonly string[] => buttons.map(({ label }) => label);

interface Asked {
  readonly calls: readonly { readonly name: string; readonly input: object }[];
  readonly words: string;
}

const asked = ({ platform, claude, sees }: Talk, person: Person, place: Place, { calls, words }: Asked) => {
  claude.reply({ kind: 'answer', toolCalls: calls }, answer(words));
  platform.say(person, place, 'How is it doing?');
  return sees(person, place, (seen) => seen.text.includes(words) && !seen.isUnderWay);
};

const quoteOf = (...symbols: readonly string[]) => ({ name: 'get_quote', input: { symbols } });

/** What people do next with what a model's answer is about. */
export const nextStepCases = ({ can }: PlatformKit, talk: () => Talk): void => {
  it.runIf(can.buttons)(
    'a price in the words of a model has its controls, which leave the words',
    async () => {
      const { platform, sees, restart } = talk();
      const ann = platform.addPerson('ann', { locale: 'en' });
      const direct = platform.direct(ann);
      const words = 'Apple holds up well.';
      const seen = await asked(talk(), ann, direct, { calls: [quoteOf('AAPL')], words });
      expect(labelsOf(seen).slice(0, 5)).toEqual(['Chart', 'News', 'Alert', 'Watch', 'Refresh']);
      await restart();
      platform.press(ann, seen, 'Refresh');
      await sees(ann, direct, (each) => each.cards > 0);
      expect(platform.seenBy(ann, direct).some(({ text }) => text.includes(words))).toBe(true);
    },
  );

  it.runIf(can.buttons)(
    'a chart in the words of a model has its ranges, and two prices have nothing',
    async () => {
      const { platform } = talk();
      const ann = platform.addPerson('ann', { locale: 'en' });
      const direct = platform.direct(ann);
      const drawn = { name: 'make_chart', input: { symbols: ['AAPL'] } };
      const chart = await asked(talk(), ann, direct, { calls: [drawn], words: 'Here is the line.' });
      expect(labelsOf(chart)).toEqual(
        expect.arrayContaining(['1D', '5D', '1M', '3M', '6M', 'YTD', '1Y', '5Y', 'Dark', 'RSI']),
      );
      const two = [quoteOf('AAPL'), quoteOf('MSFT')];
      const both = await asked(talk(), ann, direct, { calls: two, words: 'Both of them rose.' });
      expect(labelsOf(both)).not.toContain('Chart');
    },
  );

  it.runIf(can.buttons && can.calls)(
    'the level of an alert is typed into a form behind a button, in a channel too, by whoever pressed it',
    async () => {
      const { platform, sees } = talk();
      const ann = platform.addPerson('ann', { locale: 'en' });
      const place = platform.addRoom('levels');
      platform.call(ann, place, 'alert', { condition: 'AAPL' });
      const offer = await sees(ann, place, ({ buttons }) => buttons.some(({ label }) => label === LEVEL));
      const pressed = platform.press(ann, offer, LEVEL);
      expect(await eventually(pressed.form)).toEqual([alertTexts('en').other.field]);
      pressed.fillIn(['350']);
      const set = await sees(ann, place, ({ text }) => text.includes('$350'));
      expect(labelsOf(set)).toContain('Delete');
      const bob = platform.addPerson('bob', { locale: 'en' });
      expect(platform.seenBy(bob, place).some(({ text }) => text.includes('$350'))).toBe(false);
    },
  );
};
