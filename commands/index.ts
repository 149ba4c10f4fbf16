import type { Command } from '#src/core/command.ts';
import { help, type HelpDeps } from './help.ts';
import { price, type PriceDeps } from './price.ts';
import { reset, type ResetDeps } from './reset.ts';

export type CommandDeps = HelpDeps & PriceDeps & ResetDeps;

/** All commands, in the order in which `/help` shows them. */
export const createCommands = (deps: CommandDeps): readonly Command[] => [
  price(deps),
  help(deps),
  reset(deps),
];
