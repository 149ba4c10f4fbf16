import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { StreamChunk } from '#src/kernel/model.ts';
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
  Promise.race([promise, setTimeout(2_000, 'never' as const)]);

/** Of the SDKs some listen to an abort only as long as somebody keeps what they answered with. */
describe.each([ANTHROPIC, RESPONSES, CHAT])(
  '$name, after a garbage collection in the middle of an answer',
  (subject) => {
    it('still ends the request when the caller aborts', async () => {
      const { adapter, reply, history } = await subject.start();
      reply({ kind: 'stall', answer: { text: 'So far' } });
      const controller = new AbortController();
      const stream = adapter.streamCompletion(subject.request(), controller.signal)[Symbol.asyncIterator]();
      await firstText(stream);
      const next = stream.next().catch((error: unknown) => error);
      await collectGarbage();
      controller.abort(new RunAbortedError('stopped'));
      expect(await within(next)).toBeInstanceOf(RunAbortedError);
      await until(() => history[0]?.wasAborted() === true);
    });

    it('still gives up on a provider that falls silent', async () => {
      const { adapter, reply, clock } = await subject.start();
      reply({ kind: 'stall', answer: { text: 'So far' } });
      const answered = adapter.streamCompletion(subject.request(), new AbortController().signal);
      const stream = answered[Symbol.asyncIterator]();
      await firstText(stream);
      const next = stream.next().catch((error: unknown) => error);
      await collectGarbage();
      await clock.advance(IDLE_TIMEOUT_MS);
      expect(await within(next)).toMatchObject({ fallbackReason: 'timeout' });
    });
  },
);
