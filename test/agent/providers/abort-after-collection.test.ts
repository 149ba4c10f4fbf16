import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import { RunAbortedError } from '#src/kernel/errors.ts';
import { ANTHROPIC, CHAT, IDLE_TIMEOUT_MS, RESPONSES } from '#test/agent/providers/contract.ts';
import { until } from '#test/agent/providers/request.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const collectGarbage = async (): Promise<void> => {
  for (let round = 0; round < 2; round += 1) {
    collect();
    await setTimeout(5);
  }
};

const firstText = async (stream: AsyncIterator<StreamChunk>): Promise<void> => {
  for (let step = await stream.next(); !step.done; step = await stream.next())
    if (step.value.type === 'text_delta') return;
};

const within = async <T>(promise: Promise<T>): Promise<T | 'never'> =>
  Promise.race([promise, setTimeout(20_000, 'never' as const, { ref: false })]);

/** An answer of each provider that has begun and then stalls, and what is read of it next. */
const stalledAnswers = (signal: AbortSignal) =>
  Promise.all(
    [ANTHROPIC, RESPONSES, CHAT].map(async (subject) => {
      const { adapter, reply, history, clock } = await subject.start();
      reply({ kind: 'stall', answer: { text: 'So far' } });
      const stream = adapter.streamCompletion(subject.request(), signal)[Symbol.asyncIterator]();
      await firstText(stream);
      const next = stream.next().catch((error: unknown) => error);
      return { name: subject.name, next, history, clock };
    }),
  );

/** Of the SDKs some listen to an abort only as long as somebody keeps what they answered with. */
describe('every provider, after a garbage collection in the middle of an answer', () => {
  it('still ends the request when the caller aborts', async () => {
    const controller = new AbortController();
    const stalled = await stalledAnswers(controller.signal);
    await collectGarbage();
    controller.abort(new RunAbortedError('stopped'));
    for (const { name, next, history } of stalled) {
      expect(await within(next), name).toBeInstanceOf(RunAbortedError);
      await until(() => history[0]?.wasAborted() === true);
    }
  });

  it('is still given up when it falls silent', async () => {
    const stalled = await stalledAnswers(new AbortController().signal);
    await collectGarbage();
    for (const { name, next, clock } of stalled) {
      await clock.advance(IDLE_TIMEOUT_MS);
      expect(await within(next), name).toMatchObject({ fallbackReason: 'timeout' });
    }
  });
});
