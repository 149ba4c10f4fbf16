import { expect, it } from 'vitest';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { ECHO, type Talk } from '#test/support/platforms/talk.ts';

const en = guildTexts('en');
const ko = guildTexts('ko');

/** What those who run a server choose for it. It is for everybody there: the case puts it back, and comes last. */
export const settingsCases = ({ can }: PlatformKit, talk: () => Talk): void => {
  it.runIf(can.rooms)('who runs the server sets its language and channels; others are refused', async () => {
    const { platform, sees } = talk();
    const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
    const manager = platform.addPerson('manager', { runsServer: true });
    const [home, away] = [platform.addRoom('home'), platform.addRoom('away')];
    const namesHome = new RegExp(`${home.id}|#home`);
    platform.call(ann, home, 'settings language', { value: 'ko' });
    expect((await sees(ann, home, en.managersOnly())).isPrivate).toBe(true);

    platform.call(manager, home, 'settings language', { value: 'ko' });
    await sees(manager, home, en.languages.ko);
    platform.call(ann, home, 'price', { symbol: 'AAPL' });
    await sees(ann, home, '애플');

    platform.call(manager, home, 'settings channels', { change: 'add' });
    await sees(manager, home, namesHome);
    platform.say(bob, away, 'and over here?', { mention: true });
    await sees(bob, away, namesHome);
    platform.say(bob, home, 'but here?', { mention: true });
    await sees(bob, home, `${ECHO}but here?`);
    expect(JSON.stringify(platform.seenBy(bob, away))).not.toContain(ECHO);

    // Also from where nobody is heard: whoever closed the door can open it again.
    platform.call(manager, away, 'settings channels', { change: 'all' });
    await sees(manager, away, ko.everywhere());
    platform.call(manager, away, 'settings language', { value: 'auto' });
    await sees(manager, away, ko.languages.auto);
    platform.say(bob, away, 'and now?', { mention: true });
    await sees(bob, away, `${ECHO}and now?`);
  });
};
