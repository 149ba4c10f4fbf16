import type { PlatformMarkup } from '#src/platform/text/platform-markup.ts';
import { allOptions } from '#src/kernel/chat/command-definition.ts';
import { isNamed, type WriteHint } from '#src/platform/text/command-hints.ts';

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

/** The command that always works. It also runs all other commands. */
export const OWN_COMMAND = '/finclaw';

const NAMED = /^--(\p{L}[\p{L}\p{N}_-]*)=(.*)$/su;

/**
 * Writes a command as people type it on Slack: `/finclaw price AAPL`. Which short names a workspace has is not known here,
 * and this form always works.
 */
export const slackHint: WriteHint = ({ definition, words }) => {
  const typed = words.split(' ').map((word) => {
    const [, flag = '', value = ''] = NAMED.exec(word) ?? [];
    const option = allOptions(definition).find((each) => each.isNamed && isNamed(each, flag));
    return option ? `${option.name}:${value}` : word;
  });
  return `\`${[OWN_COMMAND, definition.name, ...typed].join(' ').trim()}\``;
};
