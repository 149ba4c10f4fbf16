import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Receipt } from '#src/kernel/channel/host.ts';
import { asId, type ChatId, type MessageId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import { type AnthropicBlock, type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeAnthropic } from '#test/fakes/anthropic/server.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { temporaryDir } from '#test/support/database.ts';
import { answer, type EngineApp, holds, startEngineApp, until } from '#test/support/engine-app.ts';

/** A chat of several people, in which the bot is called by its name. */
export const IN_GROUP: Partial<MsgContext> = {
  chatType: 'group',
  chatId: asId<ChatId>('group'),
  mentionsBot: true,
};

/** Something said in that chat which is not plainly meant for the bot. */
export const OVERHEARD: Partial<MsgContext> = { ...IN_GROUP, mentionsBot: false };

export const settled = async (...receipts: readonly Receipt[]): Promise<void> => {
  await Promise.all(receipts.flatMap((receipt) => (receipt.outcome === 'accepted' ? receipt.settled : [])));
};

const wordsOf = (block: AnthropicBlock): readonly string[] => {
  if (block.type === 'text') return /^<(?:context|quoted)>/.test(block.text) ? [] : [block.text];
  if (block.type === 'tool_use') return [`call ${block.name}`];
  if (block.type !== 'tool_result') return [];
  const { content = '' } = block;
  return [`result ${typeof content === 'string' ? content : JSON.stringify(content)}`];
};

/** What a request says in its last turn: the person's words and the results of tools, without what the program adds. */
export const lastTurnOf = (body: AnthropicBody | undefined): readonly string[] =>
  blocksOf(body?.messages.at(-1)?.content ?? []).flatMap(wordsOf);

/** The same of every request that a server got. */
export const lastTurns = ({ history }: FakeAnthropic): readonly (readonly string[])[] =>
  history.map(({ body }) => lastTurnOf(body));

/** All that is said in a request, by both sides, in order. */
export const conversationIn = (body: AnthropicBody | undefined): readonly string[] =>
  (body?.messages ?? []).flatMap(({ content }) => blocksOf(content)).flatMap(wordsOf);

/** What the strict server found wrong with requests. */
export const problemsOf = ({ history }: FakeAnthropic): readonly string[] =>
  history.flatMap(({ problem }) => problem ?? []);

/** A reply that comes when it is let go. */
export const held = (
  then: FakeReply = answer('ok'),
): { readonly reply: FakeReply; readonly letGo: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: holds(promise, then), letGo: resolve };
};

/** A direct message whose id can be told from its words. */
export const say = (app: EngineApp, words: string, user = 'ann', more = {}): Promise<Receipt> =>
  app.send(user, words, { messageId: asId<MessageId>(`m-${words}`), ...more });

export const inMode = (mode: QueueMode): NodeJS.ProcessEnv => ({
  FINCLAW_QUEUE_MODE: mode,
  FINCLAW_FALLBACKS: 'none',
});

/** An app whose model holds its first answer back, with the first message under way. */
export const startBusy = async (
  options: Parameters<typeof startEngineApp>[0],
  { first = answer('first'), more = {} } = {},
) => {
  const app = await startEngineApp(options);
  const { reply, letGo } = held(first);
  app.claude.reply(reply);
  app.claude.otherwise((body) => answer(`to: ${lastTurnOf(body).join(' | ')}`));
  const receipt = await say(app, 'one', 'ann', more);
  await until(() => app.claude.history.length === 1);
  return { app, letGo, receipt };
};

/** Texts with the message that each of them answers. */
export const answersIn = ({ channel }: EngineApp): readonly (readonly [to: string, text: string])[] =>
  channel.sent.map(({ target, payload }) => [target.replyToMessageId ?? '', payload.text]);

type Row = Readonly<Record<string, unknown>>;

/** Reads or changes rows. Only of an app that has stopped: the database is its own until then. */
export const query = (dataDir: string, sql: string, ...values: readonly SQLInputValue[]): readonly Row[] => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  try {
    return database
      .prepare(sql)
      .all(...values)
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
};

/** The data as a process leaves it that is killed at this moment. */
export const copyOf = ({ dataDir }: { readonly dataDir: string }): string => {
  const copy = temporaryDir();
  cpSync(dataDir, copy, { recursive: true });
  return copy;
};

/** The messages of the model's conversations, as JSON. Of a running app, what a kill would leave. */
export const transcriptIn = (app: { readonly dataDir: string }): readonly string[] =>
  query(
    copyOf(app),
    `select message from transcript_entries where state = 'current' order by session_key, position, version`,
  ).map(({ message }) => String(message));

/** As if the process had been killed before it stored the last entry of its only conversation. */
export const DELETE_LAST_ENTRY = `delete from transcript_entries
  where position = (select max(position) from transcript_entries)`;

/** What became of every message, in the order of acceptance: `status`, or `status into words of the other`. */
export const endsIn = (dataDir: string): Readonly<Record<string, string>> => {
  const rows = query(
    dataDir,
    `select json_extract(it.message, '$.body') as body,
       it.status || coalesce(': ' || json_extract(other.message, '$.body'), '') as end
     from inbox it left join inbox other on other.id = it.taken_by order by it.id`,
  );
  return Object.fromEntries(rows.map(({ body, end }) => [body, end]));
};
