import type { z } from 'zod';
import type { ChannelPlugin } from '#src/kernel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { PlatformMarkup } from '#src/kernel/platform-markup.ts';
import type { Clock } from './clock.ts';
import type { FinClawLogger } from './logger.ts';

/** What every channel is opened with, beside its own settings. */
export interface ChannelDeps {
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  /** Removes mentions of people, as all platforms write them. */
  readonly stripMentions: (text: string) => string;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
  /** The language of our own sentences; `auto`: that of the person. */
  readonly locale: Locale | 'auto';
}

/** One line of `npm run doctor`. */
export interface Finding {
  readonly status: 'ok' | 'note' | 'bad';
  readonly text: string;
}

/**
 * All that the rest of the program knows of a channel. `channels/index.ts` lists them. The modules that define them are
 * loaded at every start, so `create` and `check` import the SDK, and all that needs it, when they are called.
 */
export interface ChannelDefinition<
  Variables extends z.ZodRawShape = z.ZodRawShape,
  Block extends z.ZodType = z.ZodType,
  Settings extends object = object,
> {
  /** The platform's name in small letters: the prefix of its identities (`discord:42`), and the name of its block in the configuration. */
  readonly id: string;
  /** The environment variables that it reads. */
  readonly variables: Variables;
  /** Those of them whose value is a secret. */
  readonly secrets: readonly (keyof Variables & string)[];
  /** Those of them that are addresses which receive tokens and messages: plain http over the internet is refused. */
  readonly addresses?: readonly (keyof Variables & string)[];
  /** Variables of a later version. Set today, they do nothing, and the bot says so. */
  readonly laterVariables?: readonly string[];
  /** Its block in `finclaw.config.json`: all that is no secret. */
  readonly block?: Block;
  /** The variables that turn it on, as the doctor names them to people who have none. */
  readonly turnedOnBy?: string;
  /** What is wrong with these variables although each of them is valid: one line each, beginning with the variable. */
  readonly problems?: (variables: z.output<z.ZodObject<Variables>>) => readonly string[];
  /** Its settings; undefined where it is not turned on. */
  readonly settings: (
    variables: z.output<z.ZodObject<Variables>>,
    block: z.output<Block>,
  ) => Settings | undefined;
  readonly create: (settings: Settings, deps: ChannelDeps) => Promise<ChannelPlugin>;
  /** Asks the platform whether the settings work. */
  readonly check?: (settings: Settings) => Promise<readonly Finding[]>;
  readonly markup?: PlatformMarkup;
  /** True for the one that is opened where no other channel is turned on. Its settings are empty. */
  readonly isFallback?: boolean;
}

/**
 * Checks a definition against its own schemas. In the list, definitions have one common type: the configuration parses
 * variables and block with the schemas of the definition, and hands them and the settings back to the same one.
 */
export const defineChannel = <
  Variables extends z.ZodRawShape,
  Block extends z.ZodType,
  Settings extends object,
>(
  definition: ChannelDefinition<Variables, Block, Settings>,
): ChannelDefinition => definition as unknown as ChannelDefinition;
