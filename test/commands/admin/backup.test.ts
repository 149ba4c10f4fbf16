import { expect, it } from 'vitest';
import { backup } from '#commands/admin/backup.ts';
import type { BackupOutcome } from '#src/kernel/operations/backup.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { msgContext } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const MADE = {
  status: 'made',
  file: 'finclaw-20261118T170000000Z-0.1.0.fcb',
  bytes: 2_345_678,
  tookMs: 1_240,
  rows: 12_345,
  isEncrypted: false,
  kept: 3,
} satisfies BackupOutcome;

const asked = async (
  args: readonly string[],
  ctx: Partial<TurnContext> = {},
  outcome: BackupOutcome = MADE,
) => {
  const audited: string[] = [];
  const command = backup({
    backups: {
      everyHours: 24,
      make: async () => outcome,
      list: async () => [
        {
          file: 'a.fcb',
          bytes: 900,
          madeAt: Temporal.Instant.from('2026-11-18T17:00:00Z'),
          isFromUpgrade: true,
        },
      ],
    },
    audit: { record: async (action) => void audited.push(action) },
    clock: new ManualClock(),
  });
  const context = msgContext({ chatType: 'direct', isAdmin: true, locale: 'en', ...ctx });
  const signal = new AbortController().signal;
  const { content, ephemeral } = await command.execute(args, context, signal, new Map());
  expect(ephemeral).toBe(true);
  return { content, audited };
};

it('an administrator gets a backup in a direct chat, and it is noted', async () => {
  const { content, audited } = await asked([]);
  expect(content).toContain(
    'made in 1.2 s and read back completely: `finclaw-20261118T170000000Z-0.1.0.fcb`, 2.3 MB, 12,345 rows',
  );
  expect(content).toContain('It is not encrypted');
  expect(audited).toEqual(['backup']);
  expect((await asked([], { locale: 'ko' })).content).toContain('보관 중인 백업: 3개');
});

it.each(['group', 'channel'] as const)(
  'an administrator by a role, who is none in a direct chat, gets one in a %s, seen by nobody else',
  async (chatType) => {
    expect((await asked([], { chatType })).audited).toEqual(['backup']);
    expect((await asked(['list'], { chatType })).content).toContain('`a.fcb`');
  },
);

it('nobody else gets one', async () => {
  for (const chatType of ['direct', 'channel'] as const)
    expect((await asked([], { isAdmin: false, chatType })).audited).toEqual([]);
});

it('a failure, one that runs already, and the list are told', async () => {
  const failed: BackupOutcome = { status: 'failed', reason: 'The disk is full.' };
  expect((await asked([], {}, failed)).content).toMatch(
    /The disk is full\..+`backup\.directory`, and try again/s,
  );
  expect((await asked([], { locale: 'ko' }, failed)).content).toMatch(
    /The disk is full\..+다시 시도해 주세요/s,
  );
  expect((await asked([], {}, { status: 'running' })).content).toContain('already');
  expect((await asked(['list'])).content).toContain('`a.fcb` · 1 kB');
  expect((await asked(['list'])).content).toContain('before an upgrade');
});
