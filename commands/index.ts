import type { Command } from '#src/core/command.ts';
import { approve } from './approve.ts';
import { config, type ConfigDeps } from './config.ts';
import { context, type ContextDeps } from './context.ts';
import { debug, type DebugDeps } from './debug.ts';
import type { DecideDeps } from './decide.ts';
import { deny } from './deny.ts';
import { type ExportDeps, exportConversation } from './export.ts';
import { help, type HelpDeps } from './help.ts';
import { keys, type KeysDeps } from './keys.ts';
import { model, type ModelDeps } from './model.ts';
import { pair, type PairDeps } from './pair.ts';
import { price, type PriceDeps } from './price.ts';
import { privacy, type PrivacyDeps } from './privacy.ts';
import { profile, type ProfileDeps } from './profile.ts';
import { queue, type QueueDeps } from './queue.ts';
import { reset, type ResetDeps } from './reset.ts';
import { status, type StatusDeps } from './status.ts';
import { stop, type StopDeps } from './stop.ts';
import { usage, type UsageDeps } from './usage.ts';

export type CommandDeps = ConfigDeps &
  ContextDeps &
  DebugDeps &
  DecideDeps &
  ExportDeps &
  HelpDeps &
  KeysDeps &
  ModelDeps &
  PairDeps &
  PriceDeps &
  PrivacyDeps &
  ProfileDeps &
  QueueDeps &
  ResetDeps &
  StatusDeps &
  StopDeps &
  UsageDeps;

/** All commands, in the order in which `/help` shows them. */
export const createCommands = (deps: CommandDeps): readonly Command[] => [
  price(deps),
  model(deps),
  usage(deps),
  profile(deps),
  privacy(deps),
  context(deps),
  exportConversation(deps),
  stop(deps),
  queue(deps),
  approve(deps),
  deny(deps),
  help(deps),
  reset(deps),
  keys(deps),
  pair(deps),
  status(deps),
  config(deps),
  debug(deps),
];
