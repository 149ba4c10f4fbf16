import { describe, expect, it } from 'vitest';
import type { WarmUp } from '#src/kernel/operations/warm-up.ts';
import { createWarmUp } from '#src/wiring/warm-up.ts';
import { recordingLogger } from '#test/support/context.ts';

const DONE = 'Warm-up finished';

const setUp = (...warmUps: readonly WarmUp[]) => {
  const { logger, records } = recordingLogger();
  const service = createWarmUp(warmUps, logger);
  const messages = (): readonly string[] => records().map(({ message }) => message);
  return { service, records, messages };
};

const pieces = (
  name: string,
  seen: string[],
  onPiece: (piece: number) => void = () => undefined,
): WarmUp => ({
  name,
  run: async function* () {
    for (let piece = 1; piece <= 3; piece += 1) {
      seen.push(`${name} ${piece}`);
      onPiece(piece);
      yield;
    }
  },
});

const failAtTwo = (piece: number): void => {
  if (piece === 2) throw new Error('no such file');
};

describe('the warm-up', () => {
  it('begins after the start has ended, and lets other work run after every piece', async () => {
    const seen: string[] = [];
    const { service, messages } = setUp(
      pieces('prompt', seen, (piece) => setImmediate(() => seen.push(`work ${piece}`))),
    );
    await service.start();
    expect(seen).toEqual([]);
    await expect.poll(messages).toContain(DONE);
    expect(seen).toEqual(['prompt 1', 'work 1', 'prompt 2', 'work 2', 'prompt 3', 'work 3']);
  });

  it('goes on after a failure, which only the debug log tells', async () => {
    const seen: string[] = [];
    const { service, records, messages } = setUp(pieces('prompt', seen, failAtTwo), pieces('symbols', seen));
    await service.start();
    await expect.poll(messages).toContain(DONE);
    expect(seen).toEqual(['prompt 1', 'prompt 2', 'symbols 1', 'symbols 2', 'symbols 3']);
    expect(messages()[0]).toBe('Could not warm up the prompt; the first message will do it');
    expect(new Set(records().map(({ level }) => level))).toEqual(new Set(['debug']));
  });

  it('ends with the piece under way when the bot closes', async () => {
    const seen: string[] = [];
    const { promise: isAtWork, resolve: onWork } = Promise.withResolvers<void>();
    const { promise: file, resolve: onFile } = Promise.withResolvers<void>();
    const reading: WarmUp = {
      name: 'symbols',
      run: async function* () {
        onWork();
        await file;
        seen.push('read');
        yield;
        seen.push('too late');
      },
    };
    const { service, messages } = setUp(reading, pieces('prompt', seen));
    await service.start();
    await isAtWork;
    const stopped = Promise.resolve(service.stop()).then(() => seen.push('stopped'));
    onFile();
    await stopped;
    expect(seen).toEqual(['read', 'stopped']);
    expect(messages()).toEqual([]);
  });

  it('can be stopped before it was started', async () => {
    const { service } = setUp();
    await expect(Promise.resolve(service.stop())).resolves.toBeUndefined();
  });
});
