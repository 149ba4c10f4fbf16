import { describe, expect, it } from 'vitest';
import { setUpChannel } from '../fixture.ts';

describe('a Slack channel or person that meets the bot', () => {
  it('is reported when the bot is added to a channel, in the language of whoever added it', async () => {
    const { fake, host } = await setUpChannel();
    const mina = fake.addUser({ name: 'mina', locale: 'ko-KR' });
    fake.join(fake.general.id, fake.bot.userId, mina.id);
    await fake.until(() => host.joined.length === 1);
    expect(host.joined).toMatchObject([
      { channelId: 'slack', subject: fake.general.id, chatId: fake.general.id, locale: 'ko' },
    ]);
  });

  it('is not reported when somebody else joins, or looks at the home tab', async () => {
    const { fake, host } = await setUpChannel();
    fake.join(fake.general.id, fake.alice.id);
    fake.openHome(fake.alice.id);
    fake.openHome(fake.alice.id, 'messages');
    await fake.until(() => host.met.length === 1);
    expect(host.joined).toEqual([]);
    expect(host.met).toMatchObject([{ channelId: 'slack', userId: fake.alice.id }]);
  });

  it('is reported again by Slack where it could not be stored', async () => {
    const { fake, host } = await setUpChannel();
    let attempts = 0;
    host.onWelcome = () => {
      attempts += 1;
      if (attempts === 1) throw new Error('the disk is full');
    };
    const event = fake.openHome(fake.alice.id, 'messages');
    await fake.until(() => attempts === 1);
    fake.repeat(event);
    await fake.until(() => host.met.length === 1);
  });
});
