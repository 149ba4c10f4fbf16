import type { Command, CommandResult, ParsedCommand } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import type { MsgContext } from '#src/core/message.ts';
import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { CommandRegistry } from '../command-registry.ts';
import { type Delivery, deliveryFailure } from '../delivery.ts';
import type { Normalized, Question } from '../flow.ts';

export interface CommandStageDeps {
  readonly registry: CommandRegistry;
  readonly delivery: Delivery;
  readonly clock: Clock;
}

const hasRole = (command: Command, ctx: MsgContext): boolean => {
  const required = command.definition.requiredRoles ?? [];
  return required.length === 0 || ctx.isAdmin || required.some((role) => ctx.userRoles.includes(role));
};

/** Remembers when each person may use each command again; expired entries go as new ones come. */
const createCooldowns = (clock: Clock) => {
  const readyAtMs = new Map<string, number>();
  return (command: Command, ctx: MsgContext): number => {
    const { name, cooldownMs } = command.definition;
    if (cooldownMs === undefined) return 0;
    const nowMs = clock.monotonicMs();
    for (const [key, atMs] of readyAtMs) if (atMs <= nowMs) readyAtMs.delete(key);
    const key = `${name}\0${ctx.channelId}\0${ctx.senderId}`;
    const waitMs = (readyAtMs.get(key) ?? nowMs) - nowMs;
    if (waitMs <= 0) readyAtMs.set(key, nowMs + cooldownMs);
    return Math.max(0, waitMs);
  };
};

/** Runs a command and delivers its result. A name that is nearly right gets a suggestion; other text goes on. */
export const command = (deps: CommandStageDeps): PipelineStage<Normalized, Question> => {
  const waitFor = createCooldowns(deps.clock);

  const run = async (
    found: Command,
    parsed: ParsedCommand,
    ctx: MsgContext,
    signal: AbortSignal,
  ): Promise<CommandResult> => {
    const { name } = found.definition;
    const words = texts(ctx.locale);
    if (!hasRole(found, ctx)) return { content: words.missingRole({ name }), ephemeral: true };
    const waitMs = waitFor(found, ctx);
    if (waitMs > 0) {
      return { content: words.cooldown({ name, seconds: Math.ceil(waitMs / 1_000) }), ephemeral: true };
    }
    return found.execute(parsed.args, { ...ctx, isCommand: true }, signal);
  };

  return {
    name: 'command',
    execute: async (input, signal) => {
      const { ctx, channel, normalizedBody } = input;
      const parsed = deps.registry.parse(normalizedBody);
      const found = parsed && deps.registry.get(parsed.name);
      const nearest = parsed && !found ? deps.registry.nearest(parsed.name) : undefined;
      if (!parsed || (!found && !nearest)) return StageResult.continue({ ...input, isQuestion: true });

      const result: CommandResult = found
        ? await run(found, parsed, ctx, signal)
        : {
            content: texts(ctx.locale).unknownCommand({ name: parsed.name, nearest: nearest ?? '' }),
            ephemeral: true,
          };
      const report = await deps.delivery.deliver(ctx, { ...result, text: result.content }, channel, signal);
      const failure = deliveryFailure(report);
      if (failure) return StageResult.abort(failure.message, failure);
      return StageResult.skip(found ? `command ${found.definition.name}` : 'unknown command');
    },
  };
};
