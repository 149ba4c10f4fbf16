import { expect, it } from 'vitest';
import { reset } from '#commands/chat/reset.ts';
import { resetMessages } from '#commands/chat/messages/reset.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import { approvalWorld, ASKER, call, idOf } from '#test/agent/tools/approvals-support.ts';
import { runCommand } from '#test/commands/support.ts';

it('what somebody allowed is not said to be given up before anybody decided', async () => {
  const { ask, asked, context, told } = await approvalWorld();
  const approvals = await ask();
  await approvals.decide(idOf(asked[0]), 'approved', ASKER);
  await approvals.giveUp(context.sessionKey, { by: ASKER.userId, isDecidedToo: true });
  expect(told[0]).not.toContain('before anybody decided');
});

it("/reset in a group leaves what somebody else's yes has just allowed", async () => {
  const { ask, asked, boot, message, statusOfMessage } = await approvalWorld();
  const jun = asId<UserId>('jun');
  const juns = await message({ userId: jun, chatType: 'group', userName: 'Jun' });
  const approvals = await ask(boot(), [call()], juns);
  await approvals.decide(idOf(asked[0]), 'approved', { ...ASKER, userId: jun });
  const command = reset({
    // Mina's own answer runs; Jun's allowed call waits behind it in the queue.
    queue: {
      whileStopped: (_key, work) => work(),
      status: () => ({ isRunning: true, waiting: 1, startedBy: asId<UserId>('mina') }),
    },
    approvals,
    conversations: {
      reset: async () => true,
      participants: async () => ({ people: new Set([asId<UserId>('mina'), jun]), isComplete: true }),
    },
  });
  const { content } = await runCommand(command, [], { chatType: 'group', sessionKey: juns.sessionKey });
  expect(await statusOfMessage(juns)).toBe('pending');
  expect(content).toBe(resetMessages('en').notYours());
});
