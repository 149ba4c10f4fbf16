import { describe, expect, it } from 'vitest';
import { msgContext } from '#test/support/context.ts';
import { normalized, received } from '#test/chat/stages/support.ts';

describe('normalize', () => {
  it('has the text with its lines for the model', async () => {
    const rawBody = '<@U1|fin claw> explain:\r\n\n  if x:\n\t  y  =  1\nhttps://example.com/a.';
    const output = await normalized({ ctx: msgContext({ rawBody }) });
    const body = 'explain:\n\n  if x:\n\t  y  =  1\nhttps://example.com/a.';
    expect(output.ctx).toMatchObject({ bodyForAgent: body });
  });

  it('keeps what the platform sent and everything else of the message', async () => {
    const rawBody = '<@1>  hi\r\n';
    const input = received({ ctx: msgContext({ rawBody, locale: 'ko' }) });
    const output = await normalized(input);
    expect(output.ctx.rawBody).toBe(rawBody);
    expect(output.ctx).toMatchObject({ locale: 'ko', inboxId: input.ctx.inboxId });
    expect(output.channel).toBe(input.channel);
    expect(output.match).toBe(input.match);
  });
});
