import { expect, it } from 'vitest';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { ECHO, eventually, readIn, type Talk } from '#test/support/platforms/talk.ts';
import { filesHolding } from './commands.ts';

const KEYS = {
  inTalk: `sk-ant-api03-${'Qw3rTy7'.repeat(12)}`,
  inFile: `sk-ant-api03-${'ZxCv9Bn'.repeat(12)}`,
};

/** As the log says it when the platform has been asked for what was missed. */
export const CAUGHT_UP = {
  discord: 'Discord: read missed messages',
  slack: 'Slack: read missed messages',
  console: 'never',
};

/** What the bot does not read, tell or keep. */
export const secrecyCases = ({ can, name }: PlatformKit, talk: () => Talk): void => {
  it.runIf(can.rooms && can.files)(
    'a key in an earlier message or in a file reaches neither the model nor a transcript',
    async () => {
      const { platform, sees, claude, dataDir } = talk();
      const ann = platform.addPerson('ann');
      const room = platform.addRoom('careless');
      const before = claude.history.length;
      platform.say(ann, room, `use this: ${KEYS.inTalk}`);
      platform.say(ann, room, 'did you get it?', { mention: true });
      await sees(ann, room, 'did you get it?');
      const bytes = `REGION=seoul\nANTHROPIC_API_KEY=${KEYS.inFile}`;
      platform.say(ann, platform.direct(ann), 'look', {
        files: [{ name: 'settings.txt', mimeType: 'text/plain', bytes }],
      });
      await sees(ann, platform.direct(ann), 'look');
      const bodies = claude.history.slice(before).map(({ body }) => body);
      // The rest of both was read.
      expect(bodies.map(readIn).join('\n')).toMatch(/use this:[^]*REGION=seoul/);
      for (const key of Object.values(KEYS)) {
        expect(JSON.stringify(bodies).includes(key)).toBe(false);
        expect(filesHolding(dataDir, key)).toEqual([]);
      }
    },
  );

  it.runIf(can.rooms)(
    'what was not meant for the bot, and what a person had erased, is not taken up after a restart',
    async () => {
      const { platform, sees, claude, count, restart } = talk();
      const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
      const direct = platform.direct(ann);
      const { place: thread } = platform.openThread(bob, platform.addRoom('plans'), 'tomorrow at ten?');
      platform.say(ann, direct, 'my secret plan');
      await sees(ann, direct, `${ECHO}my secret plan`);
      platform.say(bob, thread, 'what does AAPL cost?', { mention: true });
      await sees(bob, thread, `${ECHO}what does AAPL cost?`);
      platform.say(ann, direct, '/privacy delete --yes');
      await eventually(() => platform.seenBy(ann, direct).length > 1);
      const [asked, caughtUp] = [claude.history.length, count(CAUGHT_UP[name])];
      await restart();
      await eventually(() => count(CAUGHT_UP[name]) > caughtUp);
      platform.say(bob, thread, 'and now?');
      await sees(bob, thread, `${ECHO}and now?`);
      platform.say(ann, direct, 'hello again');
      await sees(ann, direct, `${ECHO}hello again`);
      expect(claude.history).toHaveLength(asked + 2);
      expect(platform.seenBy(ann, direct)).toHaveLength(3);
      expect(platform.seenBy(bob, thread)).toHaveLength(2);
    },
  );
};
