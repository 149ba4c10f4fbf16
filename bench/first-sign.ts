import { setTimeout } from 'node:timers/promises';
import type { LoadResult, PlatformName } from './floor/load.ts';
import { FINCLAW, openBot, openModel, openPlatform, type Platform } from './floor/processes.ts';
import { QUESTION } from './floor/setting.ts';
import { percentile } from './statistics.ts';

/** What every call to a platform takes before people see what it does. */
const CALL_MS = 100;
/** Until the first words of an answer, and from piece to piece of it. */
const MODEL_MS = 1_500;
const PIECE_MS = 100;
const SIGN_AIM_MS = 300;
const WORDS_AIM_MS = 500;
/** So many that no place is asked again while its last answer is still being written. */
const PLACES = 40;
const AT_ONCE = 10;
const PLATFORMS: readonly PlatformName[] = ['discord', 'slack'];
const KINDS = ['direct', 'channel'] as const;
/** What people see of an answer in the making: as the bot comes, and with streaming on everywhere. */
const MODES = [
  ['as it comes', {}],
  ['streaming', { live: { mode: 'stream' } }],
] as const;

const ends = (values: readonly number[], aimMs: number): string => {
  const p99 = percentile(values, 0.99);
  const shown = `p50 ${percentile(values, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
  return `${shown} (${p99 < aimMs ? 'within' : 'above'} ${aimMs} ms)`;
};

const report = (name: string, { asked }: LoadResult, firstWordsMs: ReadonlyMap<string, number>): void => {
  const signs = asked.map(({ atMs, signAtMs = Number.NaN }) => signAtMs - atMs);
  const words = asked.map(
    ({ tag, answeredAtMs = Number.NaN }) => answeredAtMs - (firstWordsMs.get(tag) ?? Number.NaN),
  );
  console.log(`${name}, n=${asked.length}`);
  console.log(`  from the event to the first sign:        ${ends(signs, SIGN_AIM_MS)}`);
  console.log(`  from the model's first words to people:  ${ends(words, WORDS_AIM_MS)}`);
};

/** The first words are known by the tag in them, so a question is over when they are seen. */
const ask = (platform: Platform, questions: number, atOnce: number): Promise<LoadResult> =>
  platform.load({ questions, text: QUESTION, atOnce });

/**
 * How soon people see that the bot is at work (a reaction, typing, a status or a message), and how soon they see the
 * first words after the model has written them.
 */
export const benchFirstSign = async (
  isQuick: boolean,
  only: readonly string[] = PLATFORMS,
): Promise<void> => {
  const model = await openModel(MODEL_MS, PIECE_MS);
  using _model = { [Symbol.dispose]: model.close };
  for (const name of PLATFORMS.filter((each) => only.includes(each)))
    for (const kind of KINDS)
      for (const [mode, config] of MODES) {
        await using opened = new AsyncDisposableStack();
        const platform = await openPlatform({
          platform: name,
          places: PLACES,
          callDelayMs: CALL_MS,
          ...(kind === 'direct' && { kind }),
        });
        opened.defer(platform.close);
        const bot = await openBot(FINCLAW, platform, model, { config });
        opened.defer(bot.stop);
        await ask(platform, PLACES, AT_ONCE);
        for (const [many, questions, atOnce] of [
          ['one at a time', isQuick ? 10 : 30, 1],
          [`${AT_ONCE} at once`, isQuick ? 40 : 200, AT_ONCE],
        ] as const) {
          // The places of the last question are asked again, and its answer is still being written.
          await setTimeout(2 * MODEL_MS);
          await model.firstWordsMs();
          const result = await ask(platform, questions, atOnce);
          report(`${name}, ${kind}, ${mode}, ${many}`, result, await model.firstWordsMs());
        }
      }
};
