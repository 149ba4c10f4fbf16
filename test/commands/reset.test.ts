import { describe, expect, it } from 'vitest';
import { reset } from '#commands/reset.ts';
import { texts } from '#src/core/i18n.ts';
import { asId, type SessionKey } from '#src/core/ids.ts';
import { msgContext } from '#test/support/context.ts';

const signal = new AbortController().signal;
const sessionKey = asId<SessionKey>('agent:main:test:local:direct:mina');

const setUp = ({ hadHistory = true, stopped = Promise.resolve() } = {}) => {
  const calls: string[] = [];
  const command = reset({
    queue: {
      stop: async (key) => {
        calls.push(`stop ${key}`);
        await stopped;
        calls.push('has ended');
        return 'stopped';
      },
    },
    conversations: {
      reset: async (key) => {
        calls.push(`reset ${key}`);
        return hadHistory;
      },
    },
  });
  return { calls, command };
};

describe('/reset', () => {
  it('waits for the running answer to end before it sets the history aside', async () => {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const { calls, command } = setUp({ stopped });
    const result = command.execute([], msgContext({ sessionKey }), signal);
    await new Promise((tick) => setImmediate(tick));
    expect(calls).toEqual([`stop ${sessionKey}`]);
    resolve();
    await result;
    expect(calls).toEqual([`stop ${sessionKey}`, 'has ended', `reset ${sessionKey}`]);
  });

  it.each(['en', 'ko'] as const)(
    'says that the conversation starts anew, to all in it (%s)',
    async (locale) => {
      const result = await setUp().command.execute([], msgContext({ locale }), signal);
      expect(result).toEqual({ content: texts(locale).resetDone(), ephemeral: false });
    },
  );

  it.each(['en', 'ko'] as const)('says that there was nothing to reset (%s)', async (locale) => {
    const result = await setUp({ hadHistory: false }).command.execute([], msgContext({ locale }), signal);
    expect(result.content).toBe(texts(locale).resetNothing());
  });

  it('passes a failure on instead of claiming success', async () => {
    const failure = new Error('disk full');
    const command = reset({
      queue: { stop: async () => 'idle' },
      conversations: { reset: () => Promise.reject(failure) },
    });
    await expect(command.execute([], msgContext(), signal)).rejects.toBe(failure);
  });
});
