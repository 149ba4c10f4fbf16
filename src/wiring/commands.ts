import { createCommands } from '#commands/index.ts';
import type { CommandRegistry } from '../chat/commands/command-registry.ts';
import type { RecentRuns } from '#src/kernel/operations/run-traces.ts';
import type { Config } from '../platform/config/config.ts';
import type { Parts } from './engine.ts';
import type { openOperations } from './operations.ts';
import type { openRetention } from './retention.ts';

interface CommandParts extends Parts, Pick<ReturnType<typeof openRetention>, 'accountData'> {
  readonly registry: CommandRegistry;
  readonly operations: Awaited<ReturnType<typeof openOperations>>;
  readonly recentRuns: RecentRuns;
}

/** Registers the commands, those of plugins too. They read and change all other parts. */
export const openCommands = (
  { pipeline: { commandPrefix }, effective }: Pick<Config, 'pipeline' | 'effective'>,
  { base, people, turns, agent, features, engine, operations, plugins, registry, ...parts }: CommandParts,
): void => {
  const { approvals, toolbox } = agent;
  const { home, personal } = features;
  const accountData = { ...parts.accountData, erase: home.erasing(parts.accountData.erase) };
  const commands = createCommands({
    markets: features,
    people: { ...people, ...people.messenger, ...personal, accountData },
    chat: {
      ...turns,
      ...engine,
      ...features,
      recentRuns: parts.recentRuns,
      approvals,
      listCommands: registry.list,
      commandPrefix,
    },
    operations: {
      ...base,
      ...engine,
      ...operations,
      audit: people.stores.audit,
      settings: effective,
      toolPolicies: toolbox.policies,
    },
  });
  for (const command of [...commands, ...plugins.commands]) registry.register(command);
};
