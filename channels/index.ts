import type { ChannelDefinition } from '#src/platform/channel-definition.ts';
import { terminal } from './console/index.ts';
import { discord } from './discord/index.ts';
import { slack } from './slack/index.ts';

/** Every channel of the program, in the order of settings and checks. A new one is added here. */
export const CHANNELS: readonly ChannelDefinition[] = [terminal, discord, slack];
