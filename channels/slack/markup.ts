import type { PlatformMarkup } from '#src/kernel/platform-markup.ts';

const withoutScheme = (address: string): string =>
  address.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '').replace(/\/$/, '');

/** Slack labels every address that it found itself with the bare address. That label says nothing new. */
const labelled = (address: string, label: string): string =>
  withoutScheme(label) === withoutScheme(address) || label === ''
    ? address.replace(/^(?:mailto|tel):/i, '')
    : `${label} (${address})`;

export const slackMarkup: PlatformMarkup = {
  mention: /<@[A-Za-z0-9]+(?:\|[^<>]*)?>/g,
  chatMention: /<#([A-Z][A-Z0-9]*)(?:\|[^<>]*)?>/g,
  chatId: /^#?([CG][A-Z0-9]{2,20})$/,
  rules: [
    {
      pattern: /<!subteam\^[A-Z0-9]+(?:\|@?([^<>|]*))?>/g,
      readable: (_found, [name]) => `@${name?.trim() || 'group'}`,
    },
    { pattern: /<!date\^[^<>|]*\|([^<>|]*)>/g, readable: (_found, [fallback = '']) => fallback },
    { pattern: /<!(here|channel|everyone)(?:\|[^<>]*)?>/g, readable: (_found, [whom = '']) => whom },
    {
      pattern: /<((?:https?:\/\/|mailto:|tel:)[^\s<>|]+)\|([^<>]*)>/gi,
      readable: (_found, [address = '', label = '']) => labelled(address, label.trim()),
    },
    {
      pattern: /<#([A-Z][A-Z0-9]*)(?:\|([^<>|]*))?>/g,
      readable: (_found, [id = '', name]) => `#${name?.trim() || id}`,
    },
  ],
};
