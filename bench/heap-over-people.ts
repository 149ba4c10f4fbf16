import { FINCLAW, openBot, openModel, openPlatform, type Platform } from './floor/processes.ts';
import { QUESTION } from './floor/setting.ts';
import { mark } from './heap-over-sessions.ts';

/** After so many, all code has run and all pools are full. */
const FIRST_PEOPLE = 500;
const PEOPLE = 10_000;
const AT_ONCE = 32;
const AIM_MB = 20;

const PLACES = {
  'slack-channel': ['Slack, a channel each', { platform: 'slack' }],
  'slack-direct': ['Slack, a direct chat each', { platform: 'slack', kind: 'direct' }],
  'discord-thread': ['Discord, a thread each', { platform: 'discord' }],
  'discord-direct': ['Discord, a direct chat each', { platform: 'discord', kind: 'direct' }],
} as const;

/** What people leave in memory who ask once each, in a chat of their own: heap and buffers of the main thread, after a collection. */
export const benchHeapOverPeople = async (
  isQuick: boolean,
  only: readonly string[] = Object.keys(PLACES),
): Promise<void> => {
  const people = isQuick ? PEOPLE / 5 : PEOPLE;
  await using opened = new AsyncDisposableStack();
  const model = await openModel();
  opened.defer(model.close);
  for (const [part, [name, settings]] of Object.entries(PLACES)) {
    if (!only.includes(part)) continue;
    await using own = new AsyncDisposableStack();
    const platform: Platform = await openPlatform({
      ...settings,
      places: FIRST_PEOPLE + people,
      callDelayMs: 0,
    });
    own.defer(platform.close);
    const bot = await openBot(FINCLAW, platform, model, {
      probe: { watchesMemory: true },
      nodeFlags: ['--expose-gc'],
    });
    own.defer(bot.stop);
    const load = { text: QUESTION, atOnce: AT_ONCE };
    await platform.load({ ...load, questions: FIRST_PEOPLE });
    const first = await mark({ bot });
    await platform.load({ ...load, questions: people, firstPlace: FIRST_PEOPLE });
    const last = await mark({ bot });
    console.log(
      `memory after ${people} people, ${name}: ${(last.usedMb - first.usedMb).toFixed(1)} MB more (${first.usedMb.toFixed(1)} and ${last.usedMb.toFixed(1)} MB; resident ${first.residentMb.toFixed(0)} and ${last.residentMb.toFixed(0)} MB); aim ${AIM_MB} MB`,
    );
  }
};
