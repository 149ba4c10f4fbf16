import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { TIMES_TO_WARM_PATTERNS, type WarmUp } from '#src/kernel/operations/warm-up.ts';
import { formatSteps } from './response-formatter.ts';

/** With everything that a channel may have to write in another way. */
const ANSWER = [
  '**Apple** rose [1.2 %](https://example.com) to `190.50`, 2026-11-13 15:30 KST.',
  '- a line',
  '| Name | Price |\n| --- | --- |\n| 애플 | 190.50 |',
].join('\n\n');

type Writer = Pick<ChannelPlugin, 'capabilities' | 'warmUp'>;

/** The code that formats and sends the first answer. */
export const replyWarmUps = (channels: readonly Writer[]): readonly WarmUp[] => [
  {
    name: 'answer formatter',
    run: async function* () {
      for (const { capabilities, warmUp } of channels) {
        for (let time = 0; time < TIMES_TO_WARM_PATTERNS; time += 1) {
          // Half of its length, so that it is split too.
          yield* formatSteps(ANSWER, { ...capabilities, maxLength: Math.floor(ANSWER.length / 2) });
          warmUp?.({ text: ANSWER });
          yield;
        }
      }
    },
  },
];
