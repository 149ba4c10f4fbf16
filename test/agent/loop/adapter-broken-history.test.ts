import { describe, expect, it } from 'vitest';
import { toAnthropicRequest } from '#src/agent/providers/anthropic.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { ScriptedProvider, testTool } from '#test/agent/support.ts';
import { problemOf } from '#test/fakes/anthropic/validate.ts';
import { answering, lookUp, message, setUpAdapter } from './adapter-support.ts';
import { asksFirst, deciding } from './runner-support.ts';

/** What the strict API says to the requests of a provider. */
const problemsOf = (provider: ScriptedProvider) =>
  provider.requests.map((request) =>
    problemOf(JSON.parse(JSON.stringify(toAnthropicRequest(request))), {
      isCount: false,
      isSigned: () => () => true,
    }),
  );

describe('a new message behind a turn that has an open call', () => {
  it('is accepted while the turn before it is suspended', async () => {
    const { boot } = await setUpAdapter();
    const asks = asksFirst(testTool('lookup'));
    const approvals = deciding(() => 'waiting');
    await boot(new ScriptedProvider(lookUp), [asks], { approvals }).execute(message('1', 'sell'));
    const provider = answering('Hello.');
    await boot(provider, [asks], { approvals }).execute(message('2', 'hi'));
    expect(problemsOf(provider)).toEqual([undefined]);
  });

  it('is accepted after a shutdown in a tool whose message was given up (three crashes, TOO_MANY_ATTEMPTS)', async () => {
    const { boot, clock } = await setUpAdapter();
    const started = Promise.withResolvers<void>();
    const deaf = testTool('lookup', () => {
      started.resolve();
      return new Promise(() => undefined);
    });
    const first = boot(new ScriptedProvider(lookUp), [deaf]);
    const ended = first.execute(message('1', 'go')).catch(() => undefined);
    await started.promise;
    first.controller.abort(new RunAbortedError('shutdown'));
    await clock.advance(0);
    await ended;
    // The router gives message 1 up without the engine; the person writes again.
    const provider = answering('Hello.');
    await boot(provider, [testTool('lookup')]).execute(message('2', 'hi'));
    expect(problemsOf(provider)).toEqual([undefined]);
  });

  it('is accepted after the disk was full between a call and its result', async () => {
    const { boot, transcripts } = await setUpAdapter();
    const append = transcripts.append;
    let left = 2;
    Object.assign(transcripts, {
      append: (...args: Parameters<typeof append>) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('ENOSPC')) : append(...args);
      },
    });
    await boot(new ScriptedProvider(lookUp), [testTool('lookup')])
      .execute(message('1', 'go'))
      .catch(() => undefined);
    left = 100;
    const provider = answering('Hello.');
    await boot(provider, [testTool('lookup')]).execute(message('2', 'hi'));
    expect(problemsOf(provider)).toEqual([undefined]);
  });
});
