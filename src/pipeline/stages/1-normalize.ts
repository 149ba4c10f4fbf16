import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import type { Normalized, Received } from '../flow.ts';

/** Discord's `<@1>` and `<@!1>`, Slack's `<@U1>` and `<@U1|name>`. */
const MENTION = /<@!?([A-Za-z0-9]+)(?:\|[^>]*)?>/g;
const URL_PATTERN = /https?:\/\/[^\s<>]+/g;
const TRAILING_PUNCTUATION = /[.,;:!?'")\]}]+$/;
/** All but tab and line feed. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Brings the text into one form: for the model with its lines, for commands as one line. */
export const normalize = (): PipelineStage<Received, Normalized> => ({
  name: 'normalize',
  execute: async (input) => {
    const { ctx } = input;
    const text = ctx.rawBody.normalize('NFC').replaceAll('\r\n', '\n').replace(CONTROL_CHARACTERS, '');
    const mentions = [...text.matchAll(MENTION)].map(([, id = '']) => id);
    const urls = (text.match(URL_PATTERN) ?? []).map((url) => url.replace(TRAILING_PUNCTUATION, ''));
    const body = text.replace(MENTION, '').trim();
    const normalizedBody = body.replace(/\s+/g, ' ');
    return StageResult.continue({
      ...input,
      ctx: { ...ctx, body, bodyForAgent: body, commandBody: normalizedBody },
      normalizedBody,
      mentions,
      urls,
    });
  },
});
