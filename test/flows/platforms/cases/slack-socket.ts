import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { FakeSlack } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { openSlack, slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import type { Person, Place } from '#test/support/platforms/driver.ts';
import { ECHO, eventually, startTalk, type Talk } from '#test/support/platforms/talk.ts';
import { slackWorkspaceCases } from './slack-workspace.ts';

/** Where Slack asks, the old one is heard until the new one is there: there is no gap to look into. */
const BREAKS: readonly (readonly [what: string, hasGap: boolean, breaks: (fake: FakeSlack) => void])[] = [
  ['Slack asks for a new one', false, ({ sockets }) => sockets.disconnect('refresh_requested')],
  ['it is cut', true, ({ sockets }) => sockets.cut()],
  ['it has gone deaf', true, ({ sockets }) => sockets.deafen()],
];

/** As the log says it. */
const CAUGHT_UP = 'Slack: read missed messages';

const answersTo = (words: string, platform: SlackPlatform, person: Person, place: Place): number =>
  platform.seenBy(person, place).filter(({ text }) => text.includes(`${ECHO}${words}`)).length;

/** What only Slack has: envelopes that come again until they are acknowledged. */
export const slackSocketCases = (): void => {
  let platform: SlackPlatform;
  let talk: Talk;
  /** What storing a message has to wait for; it fails where that fails. */
  let storing: (body: string) => Promise<void>;
  const outcomes: { readonly body: string; readonly outcome: string }[] = [];
  beforeAll(async () => {
    // As Slack does it; only sooner. The second time counts where a starved machine renewed its socket at the first.
    platform = await openSlack(
      { redeliverAfterMs: [150, 3_000, 300_000], pingIntervalMs: 200 },
      { pingTimeoutMs: 300 },
    );
    talk = await startTalk(
      { ...slackKit, open: async () => platform },
      {
        receiving: (receive) => async (message) => {
          await storing(message.body);
          const receipt = await receive(message);
          outcomes.push({ body: message.body, outcome: receipt.outcome });
          return receipt;
        },
      },
    );
  });
  beforeEach(() => {
    storing = async () => undefined;
  });
  afterAll(() => talk.close());

  describe('a workspace of Slack', () => slackWorkspaceCases(() => ({ talk, platform })));

  describe('the socket to Slack', () => {
    it.each(BREAKS)(
      'is renewed when %s: nothing that is said meanwhile is lost or answered twice',
      async (_what, hasGap, breaks) => {
        const { fake } = platform;
        const ann = platform.addPerson('ann');
        const direct = platform.direct(ann);
        const { place: thread } = platform.openThread(ann, platform.addRoom('cut'), 'among ourselves');
        platform.say(ann, direct, 'hello');
        await talk.sees(ann, direct, 'hello');
        platform.say(ann, thread, 'before', { mention: true });
        await talk.sees(ann, thread, 'before');
        const [before, caughtUp] = [entriesOf(fake.history, 'connected').length, talk.count(CAUGHT_UP)];
        breaks(fake);
        platform.say(ann, direct, 'while');
        platform.say(ann, thread, 'follow-up');
        await eventually(() => entriesOf(fake.history, 'connected').length > before);
        await talk.sees(ann, direct, 'while');
        await talk.sees(ann, thread, 'follow-up');
        platform.say(ann, direct, 'after');
        await talk.sees(ann, direct, 'after');
        if (hasGap) await eventually(() => talk.count(CAUGHT_UP) > caughtUp);
        expect([
          answersTo('among ourselves', platform, ann, thread),
          answersTo('before', platform, ann, thread),
          answersTo('while', platform, ann, direct),
          answersTo('follow-up', platform, ann, thread),
          answersTo('after', platform, ann, direct),
        ]).toEqual([0, 1, 1, 1, 1]);
      },
    );

    it('an event whose acknowledgements are lost comes four times and is answered once', async () => {
      const { fake } = platform;
      const ann = platform.addPerson('ann');
      const [event = ''] = fake.sayDirect(ann.id, 'once').eventIds;
      const deliveries = () =>
        entriesOf(fake.history, 'delivered').filter(({ eventId }) => eventId === event);
      const acks = () => entriesOf(fake.history, 'acked').filter(({ eventId }) => eventId === event);
      for (const times of [1, 2, 3]) {
        await eventually(() => acks().length >= times);
        fake.repeat(event);
      }
      await eventually(() => deliveries().length >= 4 && acks().length >= 4);
      await talk.sees(ann, platform.direct(ann), 'once');
      platform.say(ann, platform.direct(ann), 'the end');
      await talk.sees(ann, platform.direct(ann), 'the end');
      expect(answersTo('once', platform, ann, platform.direct(ann))).toBe(1);
      // A starved machine acknowledges late: then the fake delivers it a fifth time by itself.
      const received = outcomes.filter(({ body }) => body === 'once').map(({ outcome }) => outcome);
      expect(received.toSorted()).toEqual(['accepted', ...Array(deliveries().length - 1).fill('duplicate')]);
    });

    it('a message that cannot be stored is not acknowledged: it comes again, and is then answered', async () => {
      const { fake } = platform;
      const ann = platform.addPerson('ann');
      let tries = 0;
      // Only this one: what is left of other cases may come again in between.
      storing = async (body) => {
        if (body === 'keep this' && (tries += 1) === 1) throw new Error('the disk is full');
      };
      const [event] = fake.sayDirect(ann.id, 'keep this').eventIds;
      await talk.sees(ann, platform.direct(ann), 'keep this');
      const envelopesOf = (type: 'delivered' | 'acked'): readonly string[] =>
        entriesOf(fake.history, type)
          .filter(({ eventId }) => eventId === event)
          .map(({ envelopeId }) => envelopeId);
      await eventually(() => envelopesOf('acked').length > 0);
      const [failed, again] = envelopesOf('delivered');
      expect(failed).not.toBe(again);
      expect(envelopesOf('acked')).toEqual([again]);
      expect(answersTo('keep this', platform, ann, platform.direct(ann))).toBe(1);
    });

    it('a message is acknowledged only when it is stored, however long that takes', async () => {
      const { fake } = platform;
      const ann = platform.addPerson('ann');
      const stored = Promise.withResolvers<void>();
      storing = async (body) => {
        if (body === 'slowly') await stored.promise;
      };
      const [event] = fake.sayDirect(ann.id, 'slowly').eventIds;
      await eventually(() => entriesOf(fake.history, 'unacked').some(({ eventId }) => eventId === event));
      expect(entriesOf(fake.history, 'acked').filter(({ eventId }) => eventId === event)).toEqual([]);
      stored.resolve();
      await talk.sees(ann, platform.direct(ann), 'slowly');
    });

    it('what was said while the bot was away is answered when it is back, once, though Slack tells it no more', async () => {
      const forgetful = await openSlack({ whileDisconnected: 'lose', redeliverAfterMs: [] });
      const away = await startTalk({ ...slackKit, open: async () => forgetful });
      onTestFinished(away.close);
      const ann = forgetful.addPerson('ann');
      const { place: thread } = forgetful.callIntoThread(ann, forgetful.addRoom('away'), 'before');
      await away.sees(ann, thread, 'before');
      await away.stop();
      forgetful.say(ann, thread, 'are you there?');
      await away.start();
      await away.sees(ann, thread, 'are you there?');
      forgetful.say(ann, thread, 'good');
      await away.sees(ann, thread, 'good');
      expect(answersTo('are you there?', forgetful, ann, thread)).toBe(1);
    });
  });

  it('a storm of 429 on one channel of Slack delays that channel alone, and is waited out', async () => {
    const { fake } = platform;
    const ann = platform.addPerson('ann');
    const [storm, calm] = [platform.addRoom('storm'), platform.addRoom('calm')];
    const offences = platform.offences();
    fake.fail('chat.postMessage', { kind: 'rate-limited', retryAfterS: 1 }, { channel: storm.id });
    platform.say(ann, storm, 'in the storm', { mention: true });
    await eventually(() => entriesOf(fake.history, 'response').some(({ status }) => status === 429));
    // They are answered while the storm lasts: nothing is seen of it yet.
    for (const words of ['one', 'two', 'three']) {
      platform.say(ann, calm, words, { mention: true });
      await talk.sees(ann, calm, words);
    }
    expect(platform.seenBy(ann, storm)).toEqual([]);
    await talk.sees(ann, storm, 'in the storm');
    expect(platform.offences()).toEqual(offences);
  });
};
