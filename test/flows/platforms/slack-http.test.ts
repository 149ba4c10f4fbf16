import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { openSlackOverHttp, slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { ECHO, startTalk, type Talk } from '#test/support/platforms/talk.ts';
import { ASKS_FIRST, approvalCases } from './cases/approvals.ts';
import { commandCases } from './cases/commands.ts';
import { talkingCases } from './cases/talking.ts';

describe('a person on slack, over HTTP', () => {
  let platform: SlackPlatform;
  let started: Talk | undefined;
  /** The message that cannot be stored at the first attempt. */
  let unlucky: string | undefined;
  const talk = (): Talk => {
    if (!started) throw new Error('The bot has not been started');
    return started;
  };
  beforeAll(async () => {
    platform = await openSlackOverHttp();
    started = await startTalk(
      { ...slackKit, open: async () => platform },
      {
        config: () => ({ ...ASKS_FIRST, grounding: { mode: 'repair' } }),
        receiving: (receive) => (message) => {
          if (message.body !== unlucky) return receive(message);
          unlucky = undefined;
          throw new Error('the disk is full');
        },
      },
    );
  });
  beforeEach(() => talk().forgetReplies());
  afterAll(() => started?.close());

  describe('talks', () => talkingCases(slackKit, talk));
  describe('commands', () => commandCases(slackKit, talk));
  describe('decides', () => approvalCases(slackKit, talk));

  it('is answered once, although the message could not be stored at first', async () => {
    const { fake } = platform;
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    unlucky = 'keep this';
    const [event] = fake.sayDirect(ann.id, unlucky).eventIds;
    await talk().sees(ann, direct, 'keep this');
    await fake.until(() => entriesOf(fake.history, 'acked').some(({ eventId }) => eventId === event));
    const deliveries = entriesOf(fake.history, 'delivered').filter(({ eventId }) => eventId === event);
    expect(deliveries.map(({ retryNum }) => retryNum)).toEqual([0, 1]);
    const answers = platform.seenBy(ann, direct).filter(({ text }) => text.includes(`${ECHO}keep this`));
    expect(answers).toHaveLength(1);
  });

  it('is answered after a restart', async () => {
    const ann = platform.addPerson('ann');
    await talk().stop();
    await talk().start();
    platform.say(ann, platform.direct(ann), 'are you back?');
    await talk().sees(ann, platform.direct(ann), 'are you back?');
  });

  it('and the bot kept the manners of the platform all the while', () => {
    expect(talk().platform.offences()).toEqual([]);
  });
});
