import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import { type ApprovalId, asId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { ApprovalRequest } from '#src/kernel/agent/approvals.ts';
import type { ContextReport } from '#src/kernel/agent/conversations.ts';
import type { KeyStatus } from '#src/kernel/agent/keys.ts';
import type { ModelInfo } from '#src/kernel/agent/models.ts';
import { newId } from '#src/platform/ids.ts';
import { msgContext } from '#test/support/context.ts';

/** Runs a command as Mina's, in a direct chat and in English unless the test says otherwise. */
export const runCommand = (
  command: Command,
  args: readonly string[] = [],
  ctx: Partial<TurnContext> = {},
): Promise<CommandResult> => command.execute(args, msgContext(ctx), new AbortController().signal);

export const modelInfo = (overrides: Partial<ModelInfo> = {}): ModelInfo => ({
  id: 'claude-sonnet-5-5',
  displayName: 'Claude Sonnet 5.5',
  provider: 'anthropic',
  aliases: ['sonnet', 'claude-sonnet'],
  contextWindow: 1_000_000,
  numericalReasoningTier: 'high',
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

export const approvalRequest = (overrides: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  id: newId<ApprovalId>(),
  toolName: 'place_order',
  summary: '> place_order\n> - `"symbol"`: `"AAPL"`\n> - `"quantity"`: `3`',
  reason: 'It changes something that cannot simply be undone.',
  askedBy: asId<UserId>('mina'),
  locale: 'en',
  askedAt: Temporal.Instant.from('2026-11-13T06:30:00Z'),
  expiresAt: Temporal.Instant.from('2026-11-13T06:40:00Z'),
  isRepeated: false,
  ...overrides,
});

export const contextReport = (overrides: Partial<ContextReport> = {}): ContextReport => ({
  modelName: 'Claude Sonnet 5.5',
  windowTokens: 200_000,
  reserveTokens: 8_192,
  usedTokens: 50_000,
  isMeasured: true,
  breakdown: { systemPrompt: 2_000, tools: 3_000, conversation: 34_950, toolResults: 10_000, summary: 50 },
  messageCount: 42,
  compactionAtTokens: 163_036,
  ...overrides,
});
