import { expect, it } from 'vitest';
import { createMediaMemory } from '#src/platform/files/media-memory.ts';

const { signal } = new AbortController();

/** Files under way, each until the test ends it. */
const setUp = (maxBytes: number) => {
  const memory = createMediaMemory(maxBytes);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const hold = (name: string, bytes: number, of: AbortSignal = signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    const work = async (): Promise<void> => {
      begun.push(name);
      await promise;
    };
    return memory.hold(name.slice(0, 3), bytes, work, of);
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { memory, begun, hold, end };
};

it('files wait while there is no room for them, and people take turns', async () => {
  const { begun, hold, end } = setUp(100);
  const all = [hold('ann 1', 60), hold('ann 2', 60), hold('ann 3', 60), hold('bob 1', 60), hold('cat 1', 10)];
  await end('nothing');
  expect(begun).toEqual(['ann 1']);
  await end('ann 1');
  // A small file does not go before a large one that waits longer.
  expect(begun).toEqual(['ann 1', 'ann 2']);
  await end('ann 2');
  expect(begun).toEqual(['ann 1', 'ann 2', 'bob 1', 'cat 1']);
  for (const name of ['bob 1', 'cat 1', 'ann 3']) await end(name);
  await Promise.all(all);
  expect(begun.at(-1)).toBe('ann 3');
});

it('a file larger than all room goes alone, and who leaves keeps nobody waiting', async () => {
  const { memory, begun, hold, end } = setUp(100);
  const controller = new AbortController();
  const first = hold('ann 1', 1_000);
  const left = hold('bob 1', 90, controller.signal);
  const last = hold('cat 1', 100);
  const reason = new Error('stopped');
  controller.abort(reason);
  await expect(left).rejects.toBe(reason);
  await end('ann 1');
  expect(begun).toEqual(['ann 1', 'cat 1']);
  await end('cat 1');
  await Promise.all([first, last]);
  const failed = memory.hold('ann', 100, () => Promise.reject(reason), signal);
  await expect(failed).rejects.toBe(reason);
  await memory.hold('ann', 100, async () => undefined, signal);
});
