import type { z } from 'zod';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { PlatformMarkup } from './text/platform-markup.ts';
import type { Uses } from './services.ts';

/** The dependencies of every channel, in addition to its own settings. */
export interface ChannelDeps extends Uses<'clock' | 'logger'> {
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  /** Removes mentions of people in the markup of every platform. */
  readonly stripMentions: (text: string) => string;
  /** A channel that draws on the terminal prints the log lines itself, until it takes the printer back. */
  readonly printsLog?: (print: ((line: string) => void) | undefined) => void;
  /** The language of the bot's sentences; `auto` follows the person. */
  readonly locale: Locale | 'auto';
}

/** One line of `npm run doctor`. */
export interface Finding {
  readonly status: 'ok' | 'note' | 'bad';
  readonly text: string;
  /** What to do about it, as a sentence of its own. */
  readonly advice?: string;
}

/**
 * Everything that the rest of the program knows of a channel. `channels/index.ts` lists them. A module that defines a
 * channel is loaded at every start, so `create` and `check` import the SDK only when they are called.
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
  /** The variables that hold secrets. */
  readonly secrets: readonly (keyof Variables & string)[];
  /** The variables that are addresses which receive tokens and messages: plain http over the internet is refused. */
  readonly addresses?: readonly (keyof Variables & string)[];
  /** The schema of its block in `finclaw.config.json`, which holds no secrets. */
  readonly block?: Block;
  /** The variables that turn it on, as the doctor names them to people who have none. */
  readonly turnedOnBy?: string;
  /** Problems of variables that are valid one by one; one line each, beginning with the variable. */
  readonly problems?: (variables: z.output<z.ZodObject<Variables>>) => readonly string[];
  /** The settings of the channel; undefined if it is not turned on. */
  readonly settings: (
    variables: z.output<z.ZodObject<Variables>>,
    block: z.output<Block>,
  ) => Settings | undefined;
  readonly create: (settings: Settings, deps: ChannelDeps) => Promise<ChannelPlugin>;
  /** Where the channel listens for requests, and how that is changed. Undefined: nowhere. */
  readonly listensAt?: (
    settings: Settings,
  ) => { readonly host: string; readonly port: number; readonly advice: string } | undefined;
  /** Asks the platform whether the settings work. */
  readonly check?: (settings: Settings) => Promise<readonly Finding[]>;
  readonly markup?: PlatformMarkup;
  /** Names of its own slash commands, which no plugin may take. */
  readonly commandNames?: readonly string[];
  /** True for the channel that is opened where no other is turned on. Its settings are empty. */
  readonly isFallback?: boolean;
}

/**
 * Checks the types of a definition against its own schemas, then hides them behind one common type. That is safe, because
 * the configuration gives a definition only what was parsed with its own schemas.
 */
export const defineChannel = <
  Variables extends z.ZodRawShape,
  Block extends z.ZodType,
  Settings extends object,
>(
  definition: ChannelDefinition<Variables, Block, Settings>,
): ChannelDefinition => definition as unknown as ChannelDefinition;
