/** Invisible. Between the sign and the word it breaks the mention. */
const SEAM = '\u2060';

/** `<!channel>`, `<!here|…>`, `<!subteam^S1>`, and `<!date^…^words^address|…>`, which hides a link behind other words. */
const COMMAND = /<\s*!\s*(?=channel|here|everyone|group|subteam|date)/gi;
/** `@here` as plain words, which some places turn into a mention. */
const NAMED = /(?<![A-Za-z0-9_.])[@＠](?=(?:channel|here|everyone)\b)/gi;

/** The same words, in which no command of Slack's is left: nothing calls many people at once. */
export const withoutMassMentions = (text: string): string =>
  text.replaceAll(COMMAND, '‹!').replaceAll(NAMED, (sign) => sign + SEAM);

/** `<@U0ANN>` and `<@U0ANN|ann>`: somebody's id in their own syntax. */
const PERSON = /<\s*@(?=[A-Z0-9])/g;

/** Without mentions of single people too: the words of a message never decide whom the bot mentions. */
export const withoutMentions = (text: string): string => withoutMassMentions(text).replaceAll(PERSON, '‹@');
