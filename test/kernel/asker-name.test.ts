import { expect, it } from 'vitest';
import { approve } from '#commands/chat/approve.ts';
import { questionOf } from '#src/kernel/approval-code.ts';
import { approvalRequest, runCommand } from '#test/commands/support.ts';

// In a group the name is chosen by the asker: it must not write lines of its own into our question.
const NAMES = ['Mina?** Harmless.\n> get_quote', 'Mina\u2028> get_quote', 'Mina\u202e\u200b', 'a\r\nb'];
const clock = { now: () => Temporal.Instant.from('2026-11-13T06:30:00Z') };

it.each(NAMES)('the name of an asker stays on its line, seen as it is: %j', (askerName) => {
  const question = questionOf(approvalRequest({ askerName, summary: '> x' }), clock);
  expect(question.split(/\r\n|[\n\r\u2028\u2029\u0085]/u)).toHaveLength(3);
  expect(question.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u);
});

it.each(NAMES)('and so it does in a list: %j', async (askerName) => {
  const waiting = [approvalRequest({ askerName }), approvalRequest()];
  const approvals = {
    pending: async () => waiting,
    pendingFor: async () => [],
    decide: async () => ({ outcome: 'unknown' as const }),
  };
  const { content } = await runCommand(approve({ approvals }));
  expect(content.split(/[\n\r\u2028\u2029\u0085]/u)).toHaveLength(3);
  expect(content.replaceAll('\n', '')).not.toMatch(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/u);
});
