import { createForms } from '../chat/commands/forms.ts';
import type { CommandRegistry } from '../chat/commands/command-registry.ts';
import { createSuggest } from '../chat/commands/suggest.ts';
import type { Gateway } from '../chat/intake/gateway.ts';
import { isAdmin } from '#src/chat/context/admins.ts';
import type { Actor } from '#src/kernel/chat/actor.ts';
import type { Config } from '../platform/config/config.ts';
import type { Parts } from './engine.ts';
import type { LifecycleDeps } from './lifecycle.ts';
import type { openOperations } from './operations.ts';

interface HostParts extends Parts {
  readonly registry: CommandRegistry;
  readonly gateway: Gateway;
  readonly operations: Pick<Awaited<ReturnType<typeof openOperations>>, 'postRefused'>;
}

/** What platforms may call, behind the questions that the gates ask of messages. */
export const openHost = (
  { admins, role }: Pick<Config, 'admins' | 'role'>,
  { base, people, turns, agent, features, engine, gateway, registry, operations }: HostParts,
): LifecycleDeps['host'] => {
  const { cluster, logger } = base;
  const { list: listCommands } = registry;
  const administers = (sender: Actor): boolean => isAdmin(sender, admins);
  return people.admission.before({
    receive: gateway.receive,
    revise: gateway.revise,
    beginsConversation: gateway.beginsConversation,
    queue: turns.queue,
    keys: engine.keys,
    approvals: agent.approvals,
    commands: listCommands,
    suggest: createSuggest({
      symbols: features.symbols,
      models: engine.models,
      ownItems: features.personal.ownItems,
      isAdmin: administers,
      listCommands,
      logger: logger.named('suggest'),
    }),
    forms: createForms({ registry, isAdmin: administers, logger: logger.named('forms') }),
    feedback: features.feedback,
    welcomes: features.welcome,
    home: features.home,
    progress: people.progress,
    describeModel: agent.models.describeDefault,
    describeMarket: features.kind,
    eventFailed: (channelId, event, error) =>
      base.events.emit('channel:event:error', { channelId, event, error }),
    postRefused: operations.postRefused,
    others: cluster && {
      onlySends: role === 'worker',
      receiveInShards: cluster.receiveInShards,
      takeTurn: cluster.takeTurn,
      asNewest: cluster.asNewest,
      onJoined: cluster.processes.onJoined,
      lostSince: cluster.lostSince,
    },
  });
};
