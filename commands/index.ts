import type { Command } from '#src/kernel/command.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { alert, alertDefinition, type AlertDeps } from './personal/alert.ts';
import { alerts, alertsDefinition, type AlertsDeps } from './personal/alerts.ts';
import { approve, approveDefinition } from './chat/approve.ts';
import { briefing, briefingDefinition, type BriefingDeps } from './personal/briefing.ts';
import { chart, chartDefinition, type ChartDeps } from './markets/chart.ts';
import { compare, compareDefinition, type CompareDeps } from './markets/compare.ts';
import { crypto, cryptoDefinition, type CryptoDeps } from './markets/crypto.ts';
import { earnings, earningsDefinition, type EarningsDeps } from './markets/earnings.ts';
import { fx, fxDefinition, type FxDeps } from './markets/fx.ts';
import { hours, hoursDefinition, type HoursDeps } from './markets/hours.ts';
import { market, marketDefinition, type MarketDeps } from './markets/market.ts';
import { news, newsDefinition, type NewsDeps } from './markets/news.ts';
import { search, searchDefinition, type SearchDeps } from './markets/search.ts';
import { config, configDefinition, type ConfigDeps } from './admin/config.ts';
import { context, contextDefinition, type ContextDeps } from './chat/context.ts';
import { debug, debugDefinition, type DebugDeps } from './admin/debug.ts';
import type { DecideDeps } from './chat/decide.ts';
import { deny, denyDefinition } from './chat/deny.ts';
import { exportConversation, exportDefinition, type ExportDeps } from './account/export.ts';
import { help, helpDefinition, type HelpDeps } from './chat/help.ts';
import { keys, keysDefinition, type KeysDeps } from './admin/keys.ts';
import { link, linkDefinition, type LinkDeps } from './account/link.ts';
import { model, modelDefinition, type ModelDeps } from './chat/model.ts';
import { pair, pairDefinition, type PairDeps } from './admin/pair.ts';
import { portfolio, portfolioDefinition, type PortfolioDeps } from './personal/portfolio.ts';
import { price, priceDefinition, type PriceDeps } from './markets/price.ts';
import { privacy, privacyDefinition, type PrivacyDeps } from './account/privacy.ts';
import { profile, profileDefinition, type ProfileDeps } from './account/profile.ts';
import { queue, queueDefinition, type QueueDeps } from './chat/queue.ts';
import { reset, resetDefinition, type ResetDeps } from './chat/reset.ts';
import { settings, type SettingsDeps } from './admin/settings.ts';
import { settingsDefinition } from './admin/settings-definition.ts';
import { status, statusDefinition, type StatusDeps } from './admin/status.ts';
import { stop, stopDefinition, type StopDeps } from './chat/stop.ts';
import { usage, usageDefinition, type UsageDeps } from './account/usage.ts';
import { watch, watchDefinition, type WatchDeps } from './personal/watch.ts';

export type CommandDeps = AlertDeps &
  AlertsDeps &
  BriefingDeps &
  ChartDeps &
  CompareDeps &
  CryptoDeps &
  EarningsDeps &
  FxDeps &
  HoursDeps &
  MarketDeps &
  NewsDeps &
  SearchDeps &
  ConfigDeps &
  ContextDeps &
  DebugDeps &
  DecideDeps &
  ExportDeps &
  HelpDeps &
  KeysDeps &
  LinkDeps &
  ModelDeps &
  PairDeps &
  PortfolioDeps &
  PriceDeps &
  PrivacyDeps &
  ProfileDeps &
  QueueDeps &
  ResetDeps &
  SettingsDeps &
  StatusDeps &
  StopDeps &
  UsageDeps &
  WatchDeps;

interface CommandEntry {
  readonly definition: CommandDefinition;
  readonly create: (deps: CommandDeps) => Command;
}

/** All commands, in the order in which `/help` shows them. */
const COMMANDS: readonly CommandEntry[] = [
  { definition: priceDefinition, create: price },
  { definition: chartDefinition, create: chart },
  { definition: compareDefinition, create: compare },
  { definition: marketDefinition, create: market },
  { definition: cryptoDefinition, create: crypto },
  { definition: fxDefinition, create: fx },
  { definition: newsDefinition, create: news },
  { definition: earningsDefinition, create: earnings },
  { definition: hoursDefinition, create: hours },
  { definition: searchDefinition, create: search },
  { definition: portfolioDefinition, create: portfolio },
  { definition: alertDefinition, create: alert },
  { definition: alertsDefinition, create: alerts },
  { definition: watchDefinition, create: watch },
  { definition: briefingDefinition, create: briefing },
  { definition: modelDefinition, create: model },
  { definition: usageDefinition, create: usage },
  { definition: profileDefinition, create: profile },
  { definition: privacyDefinition, create: privacy },
  { definition: linkDefinition, create: link },
  { definition: contextDefinition, create: context },
  { definition: exportDefinition, create: exportConversation },
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
  { definition: configDefinition, create: config },
  { definition: debugDefinition, create: debug },
];

/** What there is, for those who only want to know: no service is needed. */
export const commandDefinitions: readonly CommandDefinition[] = COMMANDS.map(({ definition }) => definition);

export const createCommands = (deps: CommandDeps): readonly Command[] =>
  COMMANDS.map(({ create }) => create(deps));
