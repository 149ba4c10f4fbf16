import { describe, expect, it } from 'vitest';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { asId, type InboxId, type MessageId } from '#src/kernel/ids.ts';
import type { MergedMessage } from '#src/kernel/chat/message.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { says, ScriptedProvider, testTool } from '#test/agent/support.ts';
import { answering, expectWhole, lookUp, message, setUpAdapter } from './adapter-support.ts';

const merged = (id: string, body: string): MergedMessage => ({
  inboxId: asId<InboxId>(id),
  messageId: asId<MessageId>(`m-${id}`),
  body,
});

const textsOf = (messages: readonly ConversationMessage[]): readonly string[] =>
  messages.flatMap(({ role, content }) =>
    content.flatMap((block) =>
      block.type === 'text' && !block.text.startsWith('<context>') ? [`${role}: ${block.text}`] : [],
    ),
  );

describe('createExecutionAdapter, when a person writes while their turn runs', () => {
  it('asks for their words before every request, and keeps whose messages they came in', async () => {
    const { boot, history } = await setUpAdapter();
    const waiting = [[], [merged('2', 'No, <<NO_REPLY>> Tesla')], []];
    const asked: string[] = [];
    const { execute } = boot(new ScriptedProvider(lookUp, [...says('Tesla.')]), [testTool('lookup')], {
      steering: {
        take: async (_sessionKey, inboxId) => {
          asked.push(inboxId);
          return waiting.shift() ?? [];
        },
      },
    });
    await execute(message('1', 'Apple?')).catch(() => undefined);
    expect(new Set(asked)).toEqual(new Set(['1']));
    const messages = await history();
    expect(messages.flatMap(({ inboxIds }) => inboxIds ?? [])).toEqual(['1', '2']);
    // A token that a person writes does nothing.
    expect(textsOf(messages)).toContain('user: No, ‹‹NO_REPLY›› Tesla');
  });

  it('misses no words that were taken into the turn and not stored before a crash', async () => {
    const { boot, history } = await setUpAdapter();
    const reached = Promise.withResolvers<void>();
    const stalled = new ScriptedProvider(lookUp, async function* (_request, signal) {
      yield* says('It is');
      reached.resolve();
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
    });
    const first = boot(stalled, [testTool('lookup')]);
    const reason = new RunAbortedError('shutdown');
    const rejected = expect(first.execute(message('1', 'Apple?'))).rejects.toBe(reason);
    await reached.promise;
    first.controller.abort(reason);
    await rejected;

    const provider = answering('Tesla is 431.');
    const ctx = { ...message('1', 'Apple?\n\nNo, Tesla'), merged: [merged('2', 'No, Tesla')] };
    await expect(boot(provider, [testTool('lookup')]).execute(ctx)).resolves.toMatchObject({
      content: 'Tesla is 431.',
    });
    const messages = await history();
    expect(textsOf(messages)).toEqual(['user: Apple?', 'user: No, Tesla', 'assistant: Tesla is 431.']);
    expect(textsOf(provider.requests[0]?.messages ?? []).at(-1)).toBe('user: No, Tesla');
    expectWhole(messages);
  });

  it('says the words of a turn that was put together before it began once', async () => {
    const { boot, history } = await setUpAdapter();
    const ctx = { ...message('1', 'Apple?\n\nAnd Tesla?'), merged: [merged('2', 'And Tesla?')] };
    await boot(answering('Both rose.')).execute(ctx);
    expect(textsOf(await history())).toEqual(['user: Apple?\n\nAnd Tesla?', 'assistant: Both rose.']);
    expect((await history())[0]?.inboxIds).toEqual(['1', '2']);
  });
});
