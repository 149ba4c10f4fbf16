import type { Command } from '#src/core/command.ts';
import { help, type HelpDeps } from './help.ts';
import { keys, type KeysDeps } from './keys.ts';
import { model, type ModelDeps } from './model.ts';
import { price, type PriceDeps } from './price.ts';
import { reset, type ResetDeps } from './reset.ts';
import { stop, type StopDeps } from './stop.ts';
import { usage, type UsageDeps } from './usage.ts';

export type CommandDeps = HelpDeps & KeysDeps & ModelDeps & PriceDeps & ResetDeps & StopDeps & UsageDeps;

/** All commands, in the order in which `/help` shows them. */
export const createCommands = (deps: CommandDeps): readonly Command[] => [
  price(deps),
  model(deps),
  usage(deps),
  stop(deps),
  help(deps),
  reset(deps),
  keys(deps),
];
