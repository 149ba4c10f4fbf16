import { type Gate, PASS } from '#src/core/gate.ts';

/** Nothing was said and nothing attached: an empty line, a sticker that carries no text. */
export const blank = (): Gate => ({
  name: 'blank',
  check: (message) =>
    message.body.trim() === '' && !message.media?.length ? { verdict: 'drop', reason: 'blank' } : PASS,
});
