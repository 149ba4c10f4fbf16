import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { type CommandResult, mayUse } from '#src/kernel/chat/command.ts';
import type { CommandDefinition, CommandIn, ParsedCommand } from '#src/kernel/chat/command-definition.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { acknowledge, type AckDeps } from '../delivery/acknowledgement.ts';
import type { CommandRegistry } from '../commands/command-registry.ts';
import { type Delivery, deliveryFailure } from '../delivery/delivery.ts';
import type { Normalized, Question } from './stage-types.ts';
import { waitText } from './stage-failures.ts';

export interface CommandStageDeps {
  readonly registry: Pick<CommandRegistry, 'commandIn' | 'execute'>;
  readonly delivery: Delivery;
  /** Reaction and typing indicator are shown as for a question. */
  readonly ack: AckDeps;
  readonly clock: Clock;
}

type Cooldown =
  | {
      readonly status: 'ready';
      /** Cancels the cooldown of a command that failed. */
      readonly cancel: () => void;
    }
  | {
      readonly status: 'waiting';
      /** The command or action, as typed. */
      readonly what: string;
      readonly waitMs: number;
    };

const READY: Cooldown = { status: 'ready', cancel: () => undefined };

/** The cooldown of the requested action, or else of the whole command. */
const pausedBy = (
  { name, cooldownMs, pauseOf }: CommandDefinition,
  { args, flags }: ParsedCommand,
): { readonly what: string; readonly cooldownMs: number | undefined } => {
  const pause = pauseOf?.(args, flags);
  return pause
    ? { what: `${name} ${pause.action}`, cooldownMs: pause.cooldownMs }
    : { what: name, cooldownMs };
};

/** Tracks when each person may use each command again. New entries evict expired ones. */
const createCooldowns = (clock: Clock) => {
  const readyAtMs = new Map<string, number>();
  return (definition: CommandDefinition, parsed: ParsedCommand, ctx: TurnContext): Cooldown => {
    const { what, cooldownMs } = pausedBy(definition, parsed);
    if (cooldownMs === undefined) return READY;
    const nowMs = clock.monotonicMs();
    for (const [key, atMs] of readyAtMs) if (atMs <= nowMs) readyAtMs.delete(key);
    const key = `${what}\0${ctx.channelId}\0${ctx.senderId}`;
    const waitMs = (readyAtMs.get(key) ?? nowMs) - nowMs;
    if (waitMs > 0) return { status: 'waiting', what, waitMs };
    readyAtMs.set(key, nowMs + cooldownMs);
    return { status: 'ready', cancel: () => readyAtMs.delete(key) };
  };
};

/** A refusal or suggestion, which does not come from the command itself, contains no account data. */
const isHarmless = (found: CommandIn, ctx: TurnContext): boolean =>
  found.kind !== 'known' || found.definition.isHarmless === true || !mayUse(found.definition, ctx);

/** On platforms with threads, a slash command is outside of them unless a flag addresses the channel or agent. */
const isOutsideConversation = (
  { flags }: ParsedCommand,
  ctx: TurnContext,
  { capabilities }: ChannelPlugin,
): boolean =>
  capabilities.talksInThreads === true &&
  ctx.interaction !== undefined &&
  ctx.chatType === 'channel' &&
  ctx.messageThreadId === undefined &&
  !flags.has('channel') &&
  !flags.has('agent');

/** Runs a command and delivers its result. A mistyped name gets a suggestion; other text continues. */
export const command = (deps: CommandStageDeps): PipelineStage<Normalized, Question> => {
  const startCooldown = createCooldowns(deps.clock);

  const answer = async (
    found: CommandIn,
    { ctx, channel }: Normalized,
    signal: AbortSignal,
  ): Promise<CommandResult> => {
    if (found.kind === 'mistyped') {
      const { parsed, nearest } = found;
      return {
        content: commandTexts(ctx.locale).unknownCommand({ name: parsed.name, nearest }),
        ephemeral: true,
      };
    }
    const { name, isOfConversation } = found.definition;
    if (isOfConversation && isOutsideConversation(found.parsed, ctx, channel))
      return { content: commandTexts(ctx.locale).inThread({ name }), ephemeral: true };
    // A refused command starts no cooldown.
    const { definition } = found;
    const cooldown = mayUse(definition, ctx) ? startCooldown(definition, found.parsed, ctx) : READY;
    if (cooldown.status === 'waiting') {
      const wait = waitText(cooldown.waitMs, ctx.locale);
      return {
        content: commandTexts(ctx.locale).cooldown({ name: cooldown.what, wait }),
        ephemeral: true,
      };
    }
    try {
      return await deps.registry.execute(found.parsed, ctx, signal);
    } catch (error) {
      cooldown.cancel();
      throw error;
    }
  };

  return {
    name: 'command',
    execute: async (input, signal) => {
      const { ctx, channel } = input;
      // Parsed on arrival, unless a plugin has changed the text since.
      const found = ctx.command === undefined ? deps.registry.commandIn(ctx.rawBody, ctx.media) : ctx.command;
      if (!found) return StageResult.continue({ ...input, isQuestion: true });

      // The platform itself shows that an interaction was seen.
      if (!ctx.interaction) acknowledge(input, deps.ack);
      const result = await answer(found, input, signal);
      // An indicator that was not needed until now would only cost a request.
      input.acknowledgement.pause();
      const reply = { ...result, text: result.content, isHarmless: isHarmless(found, ctx) };
      const report = await deps.delivery.deliver(ctx, reply, channel, signal);
      const failure = deliveryFailure(report);
      if (failure) return StageResult.abort(failure.message, failure);
      if (found.kind !== 'known') return StageResult.skip('unknown command');
      const { name } = found.definition;
      return StageResult.skip(`command ${name}`, name);
    },
  };
};
