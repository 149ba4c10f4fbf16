import { describe, expect, it } from 'vitest';
import { asId, type ApprovalId, type MessageId, type UserId } from '#src/kernel/ids.ts';
import type { ApprovalRequest } from '#src/kernel/agent/approvals.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { setUpChannel, threadTarget } from '../fixture.ts';

const request = (summary: string): ApprovalRequest => ({
  id: asId<ApprovalId>('0199-approval'),
  toolName: 'set_alert',
  summary,
  reason: 'It changes something.',
  askedBy: asId<UserId>('U1'),
  locale: 'en',
  askedAt: systemClock.now(),
  expiresAt: systemClock.now().add({ minutes: 10 }),
  isRepeated: false,
});

describe('an approval on Slack', () => {
  it('is asked with buttons, decided by a click after a restart, and closed with name and time', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const target = threadTarget(fake.general.id, fake.alice.id, asked.ts);
    const question = request('`set_alert AAPL 200` <!here>');
    const posted = await channel.requestApproval?.(target, question);
    const ref = { channel: fake.general.id, ts: posted?.messageId ?? '' };
    expect(fake.messageAt(ref)?.rendered).toMatch(/Shall I do this\?[^]*\[Approve\] \[Deny\]/);
    await channel.close();

    const restarted = await setUpChannel({ on: fake });
    restarted.host.decision = 'refused';
    const stranger = fake.press(fake.alice.id, ref, 'finclaw_approve');
    await fake.until(() => stranger.answers.length === 1);
    expect(stranger.answers[0]).toMatchObject({ forWhom: { user: fake.alice.id }, does: 'post' });
    restarted.host.decision = 'recorded';
    const press = fake.press(fake.alice.id, ref, 'finclaw_deny');
    await fake.until(() => restarted.host.decisions.length === 2);
    expect(restarted.host.decisions[1]).toEqual({
      id: question.id,
      verdict: 'denied',
      userId: fake.alice.id,
    });

    await restarted.channel.closeApproval?.(target, {
      id: question.id,
      messageId: posted?.messageId ?? asId(''),
      request: question,
      verdict: 'denied',
      decidedBy: asId<UserId>(fake.alice.id),
      at: Temporal.Instant.from('2026-11-13T06:30:00Z'),
    });
    const closed = fake.messageAt(ref);
    expect(closed?.blocks.map(({ type }) => type)).toEqual(['markdown', 'context']);
    expect(JSON.stringify(closed?.blocks)).toContain(
      `⛔ Denied by <@${fake.alice.id}>, <!date^1794551400^{date_short_pretty} {time}|2026-11-13 06:30 UTC>`,
    );
    expect(closed && fake.pinged(closed)).toEqual([]);
    expect(press.answers).toEqual([]);
  });

  it('shows the whole question before the buttons, once even if it was not recorded, and loses them when it expires', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const target = threadTarget(fake.general.id, fake.alice.id, asked.ts);
    const lines = Array.from({ length: 1_500 }, (_none, index) => `order ${index}`);
    const question = request(lines.join('\n'));
    const first = await channel.requestApproval?.(target, question);
    expect(await channel.requestApproval?.(target, { ...question, isRepeated: true })).toEqual(first);
    const shown = fake.botMessagesIn(fake.general.id);
    const text = shown.map(({ rendered }) => rendered).join('\n');
    expect(lines.filter((line) => !text.includes(`${line}\n`))).toEqual([]);
    const buttons = () =>
      fake.botMessagesIn(fake.general.id).map(({ blocks }) => blocks.some(({ type }) => type === 'actions'));
    expect(buttons()).toEqual([false, true]);
    const end = { verdict: 'expired', at: question.expiresAt } as const;
    await channel.closeApproval?.(target, { id: question.id, request: question, ...end });
    expect(buttons()).toEqual([false, false]);
  });

  it('never splits a surrogate pair of a long question', async () => {
    const { fake, channel } = await setUpChannel({ isStarted: false });
    // One of the two has a pair across the end of the first part.
    for (const start of ['', 'x']) {
      const room = fake.addChannel({ name: `questions${start}` });
      const asked = fake.say(room.id, fake.alice.id, 'q', { mention: true });
      const question = request(`${start}${'😀'.repeat(5_000)}`);
      await channel.requestApproval?.(threadTarget(room.id, fake.alice.id, asked.ts), question);
      const blocks = fake.botMessagesIn(room.id).map((message) => JSON.stringify(message.blocks));
      expect(blocks).toHaveLength(2);
      // JSON writes half a pair as an escape.
      expect(blocks.join('')).not.toMatch(/\\ud[89a-f]/i);
      expect(blocks.join('').match(/😀/gu)).toHaveLength(5_000);
    }
  });

  it('that its place refuses is asked, decided and closed directly', async () => {
    const { fake, channel, host } = await setUpChannel();
    const asked = fake.say(fake.general.id, fake.alice.id, 'q', { mention: true });
    const target = threadTarget(fake.general.id, fake.alice.id, asked.ts);
    const question = request('`set_alert AAPL 200`');
    fake.fail(
      'chat.postMessage',
      { kind: 'error', error: 'restricted_action' },
      { channel: fake.general.id },
    );
    const posted = await channel.requestApproval?.(target, question);
    const ref = { channel: fake.directOf(fake.alice.id).id, ts: posted?.messageId ?? '' };
    expect(fake.messageAt(ref)?.rendered).toMatch(
      /^#general does not let me ask, so please decide here\.[^]*set_alert AAPL 200[^]*\[Approve\] \[Deny\]/,
    );
    fake.press(fake.alice.id, ref, 'finclaw_approve');
    await fake.until(() => host.decisions.length === 1);
    const end = { verdict: 'expired', at: question.expiresAt } as const;
    const messageId = asId<MessageId>(ref.ts);
    await channel.closeApproval?.(target, { id: question.id, messageId, request: question, ...end });
    expect(fake.messageAt(ref)?.blocks.map(({ type }) => type)).toEqual(['markdown', 'context']);
  });
});
