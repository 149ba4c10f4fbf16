import { expect, it } from 'vitest';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer } from '#test/support/engine-app.ts';
import { conversationIn } from '#test/flows/gateway-support.ts';
import type { Person, Place, PlatformKit, Seen } from '#test/support/platforms/driver.ts';
import { eventually, type Talk } from '#test/support/platforms/talk.ts';
import { CAUGHT_UP } from './secrecy.ts';

/** For the configuration file: a harmless tool that asks first. */
export const ASKS_FIRST = { tools: { rules: [{ pattern: 'get_datetime', verdict: 'require-approval' }] } };

const looksAtClock: FakeReply = { kind: 'answer', toolCalls: [{ name: 'get_datetime', input: {} }] };
const QUESTION = 'Shall I do this';
const { approve, deny } = channelTexts('en');

/** Calls that wait for a person. */
export const approvalCases = ({ can, name }: PlatformKit, talk: () => Talk): void => {
  const placeFor = (person: Person): Place => {
    const { platform } = talk();
    return can.rooms ? platform.addRoom('approvals') : platform.direct(person);
  };
  const ask = async (person: Person, place: Place, done: string): Promise<Seen> => {
    const { platform, sees, claude } = talk();
    claude.reply(looksAtClock, answer(done));
    platform.say(person, place, 'What time is it?', { mention: can.rooms });
    return sees(person, place, QUESTION);
  };
  const decide = (person: Person, question: Seen, verdict: 'approve' | 'deny'): void => {
    const { platform } = talk();
    if (!can.buttons) platform.say(person, question.place, verdict === 'approve' ? 'y' : 'n');
    else platform.press(person, question, verdict === 'approve' ? approve() : deny());
  };
  const again = (person: Person, place: Place, { id }: Seen): Seen | undefined =>
    talk()
      .platform.seenBy(person, place)
      .find((seen) => seen.id === id);

  it('what was approved is done, and the question says by whom and when and cannot be pressed again', async () => {
    const { platform, sees, claude } = talk();
    const ann = platform.addPerson('ann');
    const place = placeFor(ann);
    const question = await ask(ann, place, 'It is noon.');
    decide(ann, question, 'approve');
    await sees(ann, place, 'It is noon.');
    expect(conversationIn(claude.history.at(-1)?.body).at(-1)).toMatch(/^result .*Asia\/Seoul/s);
    if (!can.buttons) return;
    const closed = await eventually(() => {
      const now = again(ann, place, question);
      return now?.buttons.every(({ isEnabled }) => !isEnabled) && now;
    });
    expect(closed.text).toMatch(/Approved by .*(?:ann|\d{17,})/);
    expect(closed.text).toMatch(/<t:\d+|\d{4}-\d\d-\d\dT|\d{1,2}:\d\d/);
  });

  it('what was denied is not done, and the model hears of it', async () => {
    const { platform, sees, claude } = talk();
    const ann = platform.addPerson('ann');
    const place = placeFor(ann);
    decide(ann, await ask(ann, place, 'As you wish.'), 'deny');
    await sees(ann, place, 'As you wish.');
    expect(conversationIn(claude.history.at(-1)?.body).at(-1)).toContain('Not done: the person refused it.');
  });

  it('a typed yes of the asker counts like a press, and what is unclear is asked again', async () => {
    const { platform, sees, claude } = talk();
    const ann = platform.addPerson('ann');
    const place = placeFor(ann);
    const question = await ask(ann, place, 'It is late.');
    const say = (words: string): void => {
      if (can.replies) platform.replyTo(ann, question, words);
      else platform.say(ann, question.place, words);
    };
    const asked = claude.history.length;
    say('글쎄');
    await sees(ann, place, 'Nothing is done yet');
    expect(claude.history).toHaveLength(asked);
    platform.say(ann, question.place, 'ㅇㅇ');
    await sees(ann, place, 'It is late.');
    if (!can.buttons) return;
    const closed = await eventually(() => {
      const now = again(ann, place, question);
      return now?.buttons.every(({ isEnabled }) => !isEnabled) && now;
    });
    expect(closed.text).toMatch(/Approved by .*(?:ann|\d{17,})/);
  });

  it.runIf(can.rooms)('a typed yes of somebody else counts for nothing', async () => {
    const { platform, sees, count, claude } = talk();
    const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
    const question = await ask(ann, placeFor(ann), 'It is six.');
    const requests = claude.history.length;
    const dropped = count('gate:drop');
    const decided = count('approval:decide');
    platform.say(bob, question.place, 'yes');
    await eventually(() => count('gate:drop') > dropped);
    platform.say(ann, question.place, '네');
    await sees(ann, question.place, 'It is six.');
    expect(count('approval:decide')).toBe(decided + 1);
    expect(claude.history).toHaveLength(requests + 1);
  });

  it.runIf(can.buttons)(
    'a stranger who presses is refused, unseen by the others, and nothing is decided',
    async () => {
      const { platform, sees, count } = talk();
      const [ann, bob] = [platform.addPerson('ann'), platform.addPerson('bob')];
      const place = placeFor(ann);
      const question = await ask(ann, place, 'It is one.');
      const decided = count('approval:decide');
      decide(bob, question, 'approve');
      expect((await sees(bob, place, approvalTexts('en').notYours())).isPrivate).toBe(true);
      expect(platform.seenBy(ann, place).map(({ text }) => text)).toEqual([question.text]);
      expect(count('approval:decide')).toBe(decided);
      decide(ann, question, 'approve');
      await sees(ann, place, 'It is one.');
    },
  );

  it('a question outlives the process: what is decided after a restart is done', async () => {
    const { platform, sees, restart, count, claude } = talk();
    const ann = platform.addPerson('ann');
    const place = placeFor(ann);
    const question = await ask(ann, place, 'It is two.');
    const [requests, caughtUp] = [claude.history.length, count(CAUGHT_UP[name])];
    await restart();
    // What is taken up of earlier chats would be answered with what the next test lets the model say.
    if (can.rooms) await eventually(() => count(CAUGHT_UP[name]) > caughtUp);
    const asked = can.buttons ? question : await sees(ann, place, QUESTION);
    decide(ann, asked, 'approve');
    await sees(ann, place, 'It is two.');
    expect(claude.history).toHaveLength(requests + 1);
  });
};
