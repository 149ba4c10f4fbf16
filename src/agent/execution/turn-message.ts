import type { PipelineMsgContext } from '#src/core/execution.ts';
import type { ConversationMessage } from '#src/core/model.ts';
import { withoutOurMarkup } from '#src/core/text.ts';

/** What changes from turn to turn (time, markets), behind the person's own words and apart from them. */
const volatileContext = (ctx: PipelineMsgContext): string => {
  const now = ctx.timestamp.toZonedDateTimeISO(ctx.timeZone).toString({ smallestUnit: 'minute' });
  const markets = (ctx.marketSession ?? []).map((session) => `${session.market}: ${session.state}`);
  return [
    '<context>',
    `time: ${now}`,
    `language: ${ctx.locale}`,
    ...markets,
    ...(ctx.unavailable.length > 0 ? [`unavailable now: ${ctx.unavailable.join(', ')}`] : []),
    '</context>',
  ].join('\n');
};

/** The person's message as the model reads it. */
export const userTurn = (ctx: PipelineMsgContext): ConversationMessage => ({
  role: 'user',
  content: [
    { type: 'text', text: withoutOurMarkup(ctx.bodyForAgent) },
    { type: 'text', text: volatileContext(ctx) },
  ],
});
