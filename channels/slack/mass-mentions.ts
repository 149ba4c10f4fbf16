/** Between the sign and the word: not seen, and no mention any more. */
const SEAM = '\u2060';

/** `<!channel>`, `<!here|…>`, `<!subteam^S1>`, in whatever writing. */
const COMMAND = /<\s*!\s*(?=channel|here|everyone|group|subteam)/gi;
/** `@here` as plain words, which some places turn into a mention. */
const NAMED = /(?<![A-Za-z0-9_.])[@＠](?=(?:channel|here|everyone)\b)/gi;

/** The text as it is read, in which nothing calls many people at once. */
export const withoutMassMentions = (text: string): string =>
  text.replaceAll(COMMAND, '‹!').replaceAll(NAMED, (sign) => sign + SEAM);

/** `<@U0ANN>` and `<@U0ANN|ann>`: somebody's id in their own syntax. */
const PERSON = /<\s*@(?=[A-Z0-9])/g;

/** Nor one person: whom the bot mentions is never decided by the words of a message. */
export const withoutMentions = (text: string): string => withoutMassMentions(text).replaceAll(PERSON, '‹@');
