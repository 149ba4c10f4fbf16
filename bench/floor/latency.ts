import { setTimeout } from 'node:timers/promises';
import { summarize } from '../statistics.ts';
import { QUESTION, type Setting } from './setting.ts';
import type { PlatformName } from './load.ts';
import { openBot, openPlatform } from './processes.ts';

const CALL_MS = 100;
/** Slack takes one message a second in a chat, and FinClaw keeps to that. */
const PAUSE_MS = 1_100;
const NAMES: Readonly<Record<PlatformName, string>> = { slack: 'Slack', discord: 'Discord' };

/** One question at a time in a thread that the bot knows, on a platform of which every call takes 100 ms. */
export const benchWait = async (platform: PlatformName, setting: Setting): Promise<void> => {
  const { contestants, model, isQuick, botOptions } = setting;
  for (const contestant of contestants) {
    await using opened = new AsyncDisposableStack();
    const fake = await openPlatform({ platform, places: 1, callDelayMs: CALL_MS });
    opened.defer(fake.close);
    const bot = await openBot(contestant, fake, model, botOptions(contestant));
    opened.defer(bot.stop);
    for (let number = 0; number < 10; number += 1) await fake.load({ questions: 1, text: QUESTION });
    const times: number[] = [];
    for (let number = 0; number < (isQuick ? 15 : 25); number += 1) {
      await setTimeout(PAUSE_MS);
      const { latenciesMs } = await fake.load({ questions: 1, text: QUESTION });
      times.push(...latenciesMs);
    }
    console.log(
      `${NAMES[platform]}, ${CALL_MS} ms a call, known thread, ${contestant.name}: visible after ${summarize(times, 'ms')}; aim 180 ms`,
    );
  }
};

/** The first question after a start, in a thread of which the bot has never heard. */
export const benchFirstMessage = async (platform: PlatformName, setting: Setting): Promise<void> => {
  const { contestants, model, isQuick, botOptions } = setting;
  const times = new Map(contestants.map((contestant) => [contestant, [] as number[]]));
  for (let number = 0; number < (isQuick ? 3 : 5); number += 1) {
    for (const [contestant, samples] of times) {
      await using opened = new AsyncDisposableStack();
      const fake = await openPlatform({ platform, places: 1, callDelayMs: CALL_MS });
      opened.defer(fake.close);
      const bot = await openBot(contestant, fake, model, botOptions(contestant));
      opened.defer(bot.stop);
      const { latenciesMs } = await fake.load({ questions: 1, text: QUESTION });
      samples.push(...latenciesMs);
    }
  }
  for (const [{ name }, samples] of times)
    console.log(
      `${NAMES[platform]}, ${CALL_MS} ms a call, first message after a start, ${name}: visible after ${summarize(samples, 'ms')}; aim 400 ms`,
    );
};
