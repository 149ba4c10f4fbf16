import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startEngineApp } from '#test/support/engine-app.ts';
import { pngOf } from '#test/support/pictures.ts';
import { createBlocks } from './longest-block.ts';

/** The provider in a process of its own: what it takes to read a request is not ours. */
const startProvider = async (): Promise<string> => {
  const provider = fork(join(import.meta.dirname, '../fakes/anthropic-process.ts'), { stdio: 'inherit' });
  onTestFinished(() => void provider.kill('SIGKILL'));
  const [url] = await once(provider, 'message');
  return String(url);
};

it('no pictures stall the bot, nor do words after them', { timeout: 120_000 }, async () => {
  const large = pngOf(2_000, 2_000, { commentBytes: 2_700_000 });
  const engine = await startEngineApp({
    channel: { files: { large } },
    env: { ANTHROPIC_BASE_URL: await startProvider(), FINCLAW_FALLBACKS: 'none' },
  });
  const blocks = createBlocks('pictures');
  const picture = {
    kind: 'image',
    mimeType: 'image/png',
    name: 'x.png',
    url: 'large',
    sizeBytes: large.length,
  } as const;
  const eight = Array.from({ length: 8 }, () => picture);
  const ask = async (person: string, media: readonly (typeof picture)[]): Promise<void> =>
    expect(await engine.ask(person, 'What do you see?', { media })).toHaveLength(1);
  await ask('zoe', []);
  await blocks.of('eight of them', () => ask('ann', eight));
  await blocks.of('eight more', () => ask('ann', eight));
  await blocks.of('words after them', () => ask('ann', []));
  blocks.expectNone();
});
