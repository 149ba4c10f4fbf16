import { z } from 'zod';
import { LIVE_MODES } from '#src/kernel/channel.ts';
import type { ChannelDefinition } from '../channel-definition.ts';
import type { Environment } from './environment.ts';

/** `live`: what people see while an answer is being made. */
export const liveSchema = z
  .strictObject({
    mode: z
      .enum(LIVE_MODES)
      .default('status')
      .describe(
        'Default mode. `off`: only the reaction. `status`: what the bot is doing. `stream`: the answer while it is written.',
      ),
    channels: z
      .record(
        z
          .string()
          .regex(
            /^[a-z][a-z0-9_-]*(?::\S+)?$/,
            'is neither a platform nor a chat; write a name such as discord, or discord:123 for one chat',
          ),
        z.enum(LIVE_MODES),
      )
      .default({})
      .describe('Mode per platform (`discord`) or chat (`discord:123`).'),
  })
  .prefault({})
  .describe('What people see while the bot works on an answer.');

/** The settings of each channel that is turned on, by its id. None: the terminal. */
export type Platforms = Readonly<Record<string, object>>;

/** Variables and blocks are parsed already. */
export const platformsOf = (
  channels: readonly ChannelDefinition[],
  variables: Environment,
  file: Readonly<Record<string, unknown>>,
): Platforms => {
  const blocks: Readonly<Record<string, unknown>> = file;
  return Object.fromEntries(
    channels.flatMap(({ id, settings }) => {
      const found = settings(variables, blocks[id]);
      return found ? [[id, found] as const] : [];
    }),
  );
};
