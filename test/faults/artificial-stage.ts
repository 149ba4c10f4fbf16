import { FakePlatform } from '#test/fakes/platform/server.ts';
import { bundledProgram } from '#test/support/bundled-programs.ts';
import type { OpenStage } from './stage.ts';

const PROGRAM = bundledProgram('platform-process');
const MAX_MESSAGE_LENGTH = 300;
const FILLER_REPEATS = 6;
const LONG_QUIET_BEATS = 30;

/** The platform that is nothing but its promises. */
export const openArtificialStage: OpenStage = async (onMoment) => {
  const platform = new FakePlatform(onMoment);
  const port = await platform.listen();
  return {
    program: PROGRAM,
    env: { PLATFORM_PORT: String(port), MAX_MESSAGE_LENGTH: String(MAX_MESSAGE_LENGTH) },
    config: {},
    fillerRepeats: FILLER_REPEATS,
    longQuietBeats: LONG_QUIET_BEATS,
    get isServed() {
      return platform.isServed;
    },
    get quietBeats() {
      return platform.quietBeats;
    },
    stir: () => platform.stir(),
    note: (happening) => platform.note(happening),
    act: (action) => {
      switch (action.kind) {
        case 'say':
          return platform.say(action.words);
        case 'change':
          return platform.change(action.number, action.body);
        case 'repeat':
          return platform.repeat(action.number);
        case 'trouble':
          return undefined;
      }
      return action satisfies never;
    },
    // It sees its bot over the wire.
    attend: () => undefined,
    tell: () => platform.history,
    complaints: () => [],
    close: () => platform.close(),
  };
};
