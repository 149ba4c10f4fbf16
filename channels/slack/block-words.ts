type Wire = Readonly<Record<string, unknown>>;

/** The words of one block. */
export interface BlockText {
  /** What a person writes; Slack repeats it as the text of the message. */
  readonly isWritten: boolean;
  readonly text: string;
}

/** Nobody nests deeper; a block of others may. */
const MAX_DEPTH = 8;

const objectOf = (value: unknown): Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const wordsIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const lines = (parts: readonly string[]): string => parts.filter((part) => part.trim() !== '').join('\n');

/** A piece of rich text, in the form that it has in the text of a message. */
const piece = (value: unknown): string => {
  const { type, text, url, name, user_id: user, channel_id: channel, ...rest } = objectOf(value);
  switch (type) {
    case 'link':
      return wordsIn(text) === '' ? `<${wordsIn(url)}>` : `<${wordsIn(url)}|${wordsIn(text)}>`;
    case 'user':
      return `<@${wordsIn(user)}>`;
    case 'channel':
      return `<#${wordsIn(channel)}>`;
    case 'usergroup':
      return `<!subteam^${wordsIn(rest['usergroup_id'])}>`;
    case 'broadcast':
      return `<!${wordsIn(rest['range'])}>`;
    case 'emoji':
      return `:${wordsIn(name)}:`;
    case 'date':
      return wordsIn(rest['fallback']);
    case 'color':
      return wordsIn(rest['value']);
    default:
      return wordsIn(text);
  }
};

const richText = (value: unknown, depth: number): string => {
  if (depth > MAX_DEPTH) return '';
  const { type, elements, style } = objectOf(value);
  const inner = listIn(elements);
  switch (type) {
    case 'rich_text':
      return lines(inner.map((each) => richText(each, depth + 1)));
    case 'rich_text_list':
      return lines(
        inner.map(
          (each, at) => `${style === 'ordered' ? `${at + 1}.` : '•'} ${richText(each, depth + 1).trim()}`,
        ),
      );
    case 'rich_text_preformatted':
      return ['```', inner.map(piece).join(''), '```'].join('\n');
    case 'rich_text_quote':
      return inner
        .map(piece)
        .join('')
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
    default:
      return inner.map(piece).join('');
  }
};

/** A tab or a line break would be one more cell. */
const cell = (value: unknown): string => {
  const { type, text, value: number } = objectOf(value);
  const shown =
    type === 'rich_text'
      ? richText(value, 0)
      : wordsIn(text) || (typeof number === 'number' ? String(number) : wordsIn(number));
  return shown.replaceAll(/\s+/g, ' ').trim();
};

/** A text object, a list of them, or a block with texts in it. */
const textIn = (value: unknown, depth: number): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  if (Array.isArray(value)) return lines(value.map((each) => textIn(each, depth + 1)));
  const block = objectOf(value);
  switch (block['type']) {
    case 'rich_text':
      return richText(block, depth);
    case 'table':
    case 'data_table':
      return lines([
        textIn(block['caption'], depth + 1),
        ...listIn(block['rows']).map((row) => listIn(row).map(cell).join('\t')),
      ]);
    // Controls and fields have no words of the message; neither has a picture in a line.
    case 'actions':
    case 'context_actions':
    case 'input':
    case 'button':
      return '';
    case 'image':
      return textIn(block['title'], depth + 1);
    default:
      return lines(
        ['title', 'subtitle', 'text', 'body', 'description', 'fields', 'elements'].map((name) =>
          textIn(block[name], depth + 1),
        ),
      );
  }
};

/** The words of blocks of any kind, in order; tables as lines with tabs. Never throws. */
export const readBlocks = (blocks: unknown): readonly BlockText[] =>
  listIn(blocks).flatMap((block) => {
    const text = textIn(block, 0);
    return text.trim() === '' ? [] : [{ isWritten: objectOf(block)['type'] === 'rich_text', text }];
  });
