import { describe, expect, it } from 'vitest';
import type { InboxId } from '#src/kernel/ids.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { NEVER, outbound, setUpChannel } from '../fixture.ts';

const ANSWER = newId<InboxId>();
const RATE = 'finclaw_rate';

const half = (text: string, value: string) => ({
  text: { type: 'plain_text', text, emoji: true },
  accessibility_label: text,
  value,
});

const answered = async (locale: 'ko' | 'en' = 'en', isRefused = false) => {
  const setUp = await setUpChannel();
  const { fake, host, channel } = setUp;
  fake.say(fake.general.id, fake.alice.id, 'apple?', { mention: true });
  await fake.until(() => host.received.length === 1);
  const [question] = host.received;
  if (!question) throw new Error('nothing was received');
  const payload = {
    locale,
    choices: [{ label: 'Why?', command: '/price AAPL' }],
    rated: { answerId: ANSWER },
  };
  if (isRefused) fake.fail('chat.postMessage', { kind: 'error', error: 'invalid_blocks' });
  const { messageId } = await channel.send(outbound(replyTargetOf(question), '$300', { payload }), NEVER);
  const ref = { channel: fake.general.id, ts: messageId };
  const press = async (user: string, verdict: 'up' | 'down') => {
    const handle = fake.press(user, ref, RATE, { value: `${verdict}:${ANSWER}` });
    await fake.until(() => handle.answers.length === 1);
    return handle;
  };
  return { ...setUp, shown: () => fake.messageAt(ref), press };
};

describe('👍 and 👎 on Slack', () => {
  it.each([
    ['en', 'Good answer', 'Bad answer'],
    ['ko', '좋은 답변', '아쉬운 답변'],
  ] as const)('are Slack’s own feedback buttons, below the others (%s)', async (locale, good, bad) => {
    const { shown } = await answered(locale);
    expect(shown()?.blocks.map(({ type }) => type)).toEqual(['markdown', 'actions', 'context_actions']);
    expect(shown()?.blocks.at(-1)?.['elements']).toEqual([
      {
        type: 'feedback_buttons',
        action_id: RATE,
        positive_button: half(good, `up:${ANSWER}`),
        negative_button: half(bad, `down:${ANSWER}`),
      },
    ]);
  });

  it('are left out where Slack refuses them, and nothing else is', async () => {
    const { shown } = await answered('en', true);
    expect(shown()?.blocks.map(({ type }) => type)).toEqual(['markdown', 'actions']);
  });

  it('thank whoever presses, alone, as often as pressed, a stranger too', async () => {
    const { fake, host, press, shown } = await answered();
    const bob = fake.addUser({ name: 'bob' });
    fake.join(fake.general.id, bob.id);
    const before = JSON.stringify(shown()?.blocks);
    for (const [user, verdict] of [
      [fake.alice.id, 'up'],
      [fake.alice.id, 'up'],
      [bob.id, 'down'],
    ] as const) {
      const { answers } = await press(user, verdict);
      expect(answers).toMatchObject([{ forWhom: { user }, rendered: 'Thanks.' }]);
      expect(host.verdicts.at(-1)).toEqual({ answerId: ANSWER, verdict, userId: user });
    }
    expect(JSON.stringify(shown()?.blocks)).toBe(before);
    expect(host.bodies).toHaveLength(1);
  });

  it('say so where the answer is too old, after a restart too', async () => {
    const { fake, channel, shown } = await answered();
    await channel.close();
    const { host } = await setUpChannel({ on: fake });
    host.rating = { outcome: 'unknown', text: 'Too old.' };
    const handle = fake.press(fake.alice.id, { channel: fake.general.id, ts: shown()?.ts ?? '' }, RATE, {
      value: `up:${ANSWER}`,
    });
    await fake.until(() => handle.answers.length === 1);
    expect(handle.answers).toMatchObject([{ forWhom: { user: fake.alice.id }, rendered: 'Too old.' }]);
  });
});
