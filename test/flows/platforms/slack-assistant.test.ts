import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSlack, slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { startTalk, type Talk } from '#test/support/platforms/talk.ts';

const WAIT = { timeoutMs: 10_000 };

let platform: SlackPlatform;
let talk: Talk;

beforeAll(async () => {
  platform = await openSlack({});
  talk = await startTalk({ ...slackKit, open: async () => platform });
});
afterAll(() => talk.close());

describe('a thread of the assistant on Slack', () => {
  it('is named by its first question, although the bot was restarted before and after it', async () => {
    const { fake } = platform;
    const ann = platform.addPerson('ann');
    const { channel, threadTs } = fake.openAssistant(ann.id);
    const titleOf = () => fake.assistantOf(channel, threadTs).title;
    const answers = (question: string) =>
      fake.until(
        () => fake.messagesIn(channel, threadTs).some(({ rendered }) => rendered === `You said: ${question}`),
        WAIT,
      );
    await talk.stop();
    await talk.start();
    fake.sayDirect(ann.id, 'AAPL price', { threadTs });
    await fake.until(() => titleOf() === 'AAPL price', WAIT);
    await answers('AAPL price');
    await talk.stop();
    await talk.start();
    fake.sayDirect(ann.id, 'MSFT price', { threadTs });
    await answers('MSFT price');
    expect(titleOf()).toBe('AAPL price');
  }, 30_000);
});
