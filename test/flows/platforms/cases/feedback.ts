import { expect, it } from 'vitest';
import type { PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { eventually, type Talk } from '#test/support/platforms/talk.ts';

const thumbsOf = ({ buttons }: Seen): readonly string[] =>
  buttons.map(({ label }) => label).filter((label) => label === '👍' || label === '👎');

/** What people think of an answer. */
export const feedbackCases = ({ can, name }: PlatformKit, talk: () => Talk): void => {
  it.runIf(can.rooms && can.buttons)(
    'an answer of the model in a direct chat can be rated, after a restart too, and that of a command cannot',
    async () => {
      const { platform, sees, restart, count } = talk();
      const ann = platform.addPerson('ann', { locale: 'en' });
      const direct = platform.direct(ann);
      platform.say(ann, direct, 'Is it raining?');
      const answer = await sees(ann, direct, (seen) => seen.text.includes('raining') && !seen.isUnderWay);
      expect(thumbsOf(answer)).toEqual(['👍', '👎']);
      await restart();
      const before = count('feedback:verdict');
      const call = platform.press(ann, answer, '👍');
      // Slack says so, and Discord marks the button.
      if (name === 'slack') await sees(ann, direct, 'Thank you, noted 👍');
      platform.press(ann, answer, '👍');
      platform.press(ann, answer, '👎');
      if (name === 'slack') await sees(ann, direct, 'Thank you, noted 👎');
      await eventually(() => count('feedback:verdict') - before >= 2);
      platform.say(ann, direct, '/privacy');
      await sees(ann, direct, 'Your ratings of my answers: 1');
      expect(count('feedback:verdict') - before).toBe(2);
      expect(call.acknowledgedAfterMs()).toBeLessThan(3_000);
      platform.say(ann, direct, '/hours KRX');
      const hours = await sees(ann, direct, (seen) => seen.text.includes('The Korean market'));
      expect(thumbsOf(hours)).toEqual([]);
    },
  );

  it.runIf(can.rooms && can.buttons)(
    'in a room, the answer can be rated on Slack, and on Discord it stays without more buttons',
    async () => {
      const { platform, sees } = talk();
      const ann = platform.addPerson('ann', { locale: 'en' });
      const bob = platform.addPerson('bob', { locale: 'ko' });
      const room = platform.addRoom('ratings');
      platform.say(ann, room, 'Is it snowing?', { mention: true });
      const answer = await sees(ann, room, (seen) => seen.text.includes('snowing') && !seen.isUnderWay);
      expect(thumbsOf(answer)).toEqual(name === 'slack' ? ['👍', '👎'] : []);
      if (name !== 'slack') return;
      platform.press(bob, answer, '👎');
      const thanks = await sees(bob, room, '평가해 주셔서 고맙습니다 👎');
      expect(thanks.isPrivate).toBe(true);
      expect(platform.seenBy(ann, room).some(({ text }) => text.includes('고맙습니다'))).toBe(false);
    },
  );
};
