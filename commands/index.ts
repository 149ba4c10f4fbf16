import type { DepsOfAll } from '#src/kernel/intersection.ts';
import type { Command } from '#src/kernel/chat/command.ts';
import * as features from '#src/features/index.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { approve, approveDefinition, deny, denyDefinition } from './chat/approve-deny.ts';
import { backup, backupDefinition } from './admin/backup.ts';
import { config, configDefinition } from './admin/config.ts';
import { context, contextDefinition } from './chat/context.ts';
import { dashboard, dashboardDefinition } from './admin/dashboard.ts';
import { debug, debugDefinition } from './admin/debug.ts';
import { exportConversation, exportDefinition } from './account/export.ts';
import { help, helpDefinition } from './chat/help.ts';
import { keys, keysDefinition } from './admin/keys.ts';
import { link, linkDefinition } from './account/link.ts';
import { model, modelDefinition } from './chat/model.ts';
import { pair, pairDefinition } from './admin/pair.ts';
import { privacy, privacyDefinition } from './account/privacy.ts';
import { profile, profileDefinition } from './account/profile.ts';
import { queue, queueDefinition } from './chat/queue.ts';
import { reset, resetDefinition } from './chat/reset.ts';
import { settings, settingsDefinition } from './admin/settings.ts';
import { status, statusDefinition } from './admin/status.ts';
import { stop, stopDefinition } from './chat/stop.ts';
import { support, supportDefinition } from './account/support.ts';
import { usage, usageDefinition } from './account/usage.ts';
import { why, whyDefinition } from './chat/why.ts';

/** All commands, in the order in which `/help` shows them. A feature brings its own. */
const COMMANDS = [
  features.quotes.command,
  features.charting.command,
  features.compare.command,
  features.overview.command,
  features.coins.command,
  features.fx.command,
  features.news.command,
  features.earnings.command,
  features.hours.command,
  features.search.command,
  features.portfolio.command,
  features.alert.command,
  features.alerts.command,
  features.watchlist.command,
  features.briefings.command,
  { definition: modelDefinition, create: model },
  { definition: usageDefinition, create: usage },
  { definition: profileDefinition, create: profile },
  { definition: privacyDefinition, create: privacy },
  { definition: linkDefinition, create: link },
  { definition: whyDefinition, create: why },
  { definition: contextDefinition, create: context },
  { definition: exportDefinition, create: exportConversation },
  { definition: supportDefinition, create: support },
  { definition: stopDefinition, create: stop },
  { definition: queueDefinition, create: queue },
  { definition: approveDefinition, create: approve },
  { definition: denyDefinition, create: deny },
  { definition: helpDefinition, create: help },
  { definition: resetDefinition, create: reset },
  { definition: settingsDefinition, create: settings },
  { definition: keysDefinition, create: keys },
  { definition: pairDefinition, create: pair },
  { definition: statusDefinition, create: status },
  { definition: dashboardDefinition, create: dashboard },
  { definition: configDefinition, create: config },
  { definition: backupDefinition, create: backup },
  { definition: debugDefinition, create: debug },
] as const;

/** Everything that some command needs. */
type CommandDeps = DepsOfAll<(typeof COMMANDS)[number]['create']>;

/** For callers that only need to know which commands there are. */
export const commandDefinitions: readonly CommandDefinition[] = COMMANDS.map(({ definition }) => definition);

type PeopleKey =
  | 'profiles'
  | 'zones'
  | 'identities'
  | 'pairings'
  | 'notifier'
  | 'guildSettings'
  | 'markup'
  | 'supportShares'
  | 'accountData'
  | 'portfolio'
  | 'alerts'
  | 'watchlist'
  | 'briefings'
  | 'chatNotices'
  | 'directTarget'
  | 'tellAlone';

type ChatKey =
  | 'queue'
  | 'modes'
  | 'approvals'
  | 'models'
  | 'usage'
  | 'conversations'
  | 'answerSources'
  | 'feedback'
  | 'recentRuns'
  | 'listCommands'
  | 'commandPrefix';

/** The parts of the program that commands read and change. */
export interface CommandPorts {
  readonly markets: Pick<CommandDeps, 'markets' | 'symbols'>;
  readonly people: Pick<CommandDeps, PeopleKey>;
  readonly chat: Pick<CommandDeps, ChatKey>;
  readonly operations: Omit<CommandDeps, PeopleKey | ChatKey | 'markets' | 'symbols'>;
}

export const createCommands = ({ markets, people, chat, operations }: CommandPorts): readonly Command[] => {
  const deps: CommandDeps = { ...markets, ...people, ...chat, ...operations };
  return COMMANDS.map(({ create }) => create(deps));
};
