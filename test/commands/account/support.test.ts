import { describe, expect, it } from 'vitest';
import { supportTexts } from '#commands/account/texts.ts';
import { support } from '#commands/account/support.ts';
import type { SharedChat, SharedState } from '#src/kernel/people/support-shares.ts';
import { runCommand } from '../support.ts';

const t = supportTexts('en');
const UNTIL = Temporal.Instant.from('2026-11-14T06:30:00Z');

const setUp = (state?: SharedState) => {
  const shared: SharedChat[] = [];
  let current = state;
  const command = support({
    directTarget: async (target) => target,
    supportShares: {
      share: async (chat) => {
        shared.push(chat);
        current = { expiresAt: UNTIL, readers: [] };
        return UNTIL;
      },
      revoke: async () => {
        const wasShared = current !== undefined;
        current = undefined;
        return wasShared;
      },
      current: async () => current,
    },
  });
  return { command, shared };
};

describe('/support', () => {
  it('says what it does, shares the conversation, and ends that', async () => {
    const { command, shared } = setUp();
    expect((await runCommand(command)).content).toBe(`${t.what()}\n\n${t.notShared()}`);
    const { content, choices } = await runCommand(command, ['share']);
    expect(content).toContain(t.unread());
    expect(choices?.map((choice) => choice.command)).toEqual(['/support revoke']);
    expect(shared).toHaveLength(1);
    expect(shared[0]?.target).not.toHaveProperty('replyToMessageId');
    expect((await runCommand(command, ['status'])).content).toBe(content);
    expect((await runCommand(command, ['해제'])).content).toBe(t.revoked());
    expect((await runCommand(command, ['revoke'])).content).toBe(t.wasNotShared());
  });

  it('names those who read it', async () => {
    const { command } = setUp({ expiresAt: UNTIL, readers: [{ name: 'Slack `Ann` (`U2`)', at: UNTIL }] });
    expect((await runCommand(command)).content).toContain('- Slack `Ann` (`U2`) · ');
  });

  it.each(['group', 'channel'] as const)('shares no %s, because others write there too', async (chatType) => {
    const { command, shared } = setUp();
    for (const args of [[], ['share'], ['revoke']])
      expect((await runCommand(command, args, { chatType })).content).toBe(t.directOnly());
    expect(shared).toEqual([]);
  });

  it('shows how it is typed for anything else', async () => {
    const { command, shared } = setUp();
    expect((await runCommand(command, ['share', 'everything'])).content).toContain('/support [share');
    expect(shared).toEqual([]);
  });
});
