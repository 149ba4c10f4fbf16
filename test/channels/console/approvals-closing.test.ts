import { expect, it } from 'vitest';
import { type ApprovalId, asId, type DeliveryId } from '#src/core/ids.ts';
import { replyTargetOf } from '#src/core/message.ts';
import { closedBy, openConsole } from '#test/channels/console/support.ts';
import { PROMPT, shown, startedAndQuiet } from '#test/channels/console/terminal-support.ts';
import { inboundMessage } from '#test/support/messages.ts';

const TARGET = replyTargetOf(inboundMessage());
const requestOf = (summary: string) =>
  ({
    id: asId<ApprovalId>(summary),
    toolName: 'buy',
    summary,
    reason: 'why',
    askedBy: TARGET.recipientId,
    locale: 'en',
    expiresAt: Temporal.Instant.from('2026-11-13T06:40:00Z'),
    isRepeated: false,
  }) as const;

it('the prompt is there again below the question that comes up when the one before was closed', async () => {
  const { channel, screen, type } = await startedAndQuiet();
  await channel.requestApproval?.(TARGET, requestOf('one'));
  await channel.requestApproval?.(TARGET, requestOf('two'));
  await type('half a li');
  screen.take();
  await channel.closeApproval?.(TARGET, closedBy(requestOf('one')));
  expect(shown(screen).endsWith(`${PROMPT}half a li`)).toBe(true);
});

it('media with an address on the web does not fail the whole answer', async () => {
  const { channel, host, screen } = openConsole({ isTTY: false });
  await channel.start(host);
  const media = [
    { kind: 'image', mimeType: 'image/png', name: 'chart.png', url: 'https://example.com/c.png' } as const,
  ];
  const message = { deliveryId: asId<DeliveryId>('d'), target: TARGET, payload: { text: 'Here.', media } };
  await channel.send(message, new AbortController().signal);
  expect(screen.take()).toContain('https://example.com/c.png');
});
