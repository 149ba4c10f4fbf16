import type { Command, CommandResult } from '#src/core/command.ts';
import type { MsgContext } from '#src/core/message.ts';
import { Decimal } from '#src/core/money.ts';
import type { KeyStatus, ModelInfo } from '#src/core/ports.ts';
import { msgContext } from '#test/support/context.ts';

/** Runs a command as Mina's, in a direct chat and in English unless the test says otherwise. */
export const runCommand = (
  command: Command,
  args: readonly string[] = [],
  ctx: Partial<MsgContext> = {},
): Promise<CommandResult> => command.execute(args, msgContext(ctx), new AbortController().signal);

export const modelInfo = (overrides: Partial<ModelInfo> = {}): ModelInfo => ({
  id: 'claude-sonnet-5-5',
  displayName: 'Claude Sonnet 5.5',
  provider: 'anthropic',
  aliases: ['sonnet', 'claude-sonnet'],
  contextWindow: 1_000_000,
  priceUsd: { input: new Decimal(2), output: new Decimal(10), asOf: '2026-11-14' },
  isDeprecated: false,
  isUsable: true,
  ...overrides,
});

export const keyStatus = (overrides: Partial<KeyStatus> = {}): KeyStatus => ({
  id: 'key-01993b7e',
  provider: 'anthropic',
  name: 'main',
  masked: 'sk-ant-…9f2A',
  source: 'profile',
  isSaved: true,
  isActive: true,
  isPreferred: false,
  health: 'healthy',
  cooldownMs: 0,
  ...overrides,
});
