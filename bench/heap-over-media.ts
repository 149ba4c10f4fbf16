import { setTimeout } from 'node:timers/promises';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { startFakeOpenAi } from '#test/fakes/openai/server.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { pdfOf } from '#test/support/pdf.ts';
import { pngOf } from '#test/support/pictures.ts';
import { FINCLAW, openBot, openModel, type Platform } from './floor/processes.ts';
import { mark } from './heap-over-sessions.ts';

/** After so many, all code has run. */
const FIRST_PEOPLE = 5;
const PEOPLE = 50;
const AIM_MB = 60;
const LOOK_MS = 20;
const LIMIT_MS = 900_000;
const LINE = 'Revenue grew, and costs fell. ';

interface File {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const RECORDING = Buffer.alloc(10_000_000, 'OggS');
/** Some 18 MB: a recording, a photo, a report and a text. */
const FILES: readonly File[] = [
  { name: 'call.ogg', type: 'audio/ogg', bytes: RECORDING },
  { name: 'screen.png', type: 'image/png', bytes: pngOf(1_000, 1_000, { commentBytes: 3_600_000 }) },
  {
    name: 'report.pdf',
    type: 'application/pdf',
    bytes: Buffer.from(pdfOf(Array<string>(500).fill(LINE.repeat(60)))),
  },
  { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from(LINE.repeat(100_000)) },
];
const QUESTION = 'What is in these?';

interface People extends Pick<Platform, 'name' | 'env'> {
  /** Somebody who has not asked before sends all files with a question. */
  readonly ask: () => { readonly answers: () => readonly string[] };
  readonly close: () => Promise<void>;
}

const openSlack = async (): Promise<People> => {
  const fake = await startFakeSlack();
  let asked = 0;
  return {
    name: 'slack',
    env: { SLACK_BOT_TOKEN: fake.botToken, SLACK_APP_TOKEN: fake.appToken, SLACK_API_URL: fake.apiUrl },
    ask: () => {
      asked += 1;
      const user = fake.addUser({ name: `user${asked}` }).id;
      const direct = fake.directOf(user).id;
      const files = FILES.map(({ name, type, bytes }) => ({ name, mimetype: type, content: bytes }));
      fake.say(direct, user, QUESTION, { files });
      return { answers: () => fake.botMessagesIn(direct).map(({ rendered }) => rendered) };
    },
    close: fake.close,
  };
};

const openDiscord = async (): Promise<People> => {
  const fake = await startFakeDiscord();
  const guild = fake.addGuild({ name: 'Finance Club' });
  let asked = 0;
  return {
    name: 'discord',
    env: { DISCORD_BOT_TOKEN: fake.token, DISCORD_API_URL: fake.apiUrl },
    ask: () => {
      asked += 1;
      const user = fake.addUser({ name: `user${asked}` });
      fake.addMember(guild, user);
      const direct = fake.directChannel(user);
      const attachments = FILES.map(({ name, type, bytes }) => ({ name, contentType: type, bytes }));
      fake.say(user, direct, { content: QUESTION, attachments });
      return {
        answers: () =>
          fake.messagesIn(direct.id).flatMap(({ author, content }) => (author.isBot ? [content] : [])),
      };
    },
    close: fake.close,
  };
};

/** What is left in memory of 50 people who send four files each, all at once, and what it takes meanwhile. */
export const benchHeapOverMedia = async (): Promise<void> => {
  await using opened = new AsyncDisposableStack();
  const model = await openModel();
  opened.defer(model.close);
  const openAi = await startFakeOpenAi({ keepBodies: false });
  opened.defer(openAi.close);
  for (const openPeople of [openSlack, openDiscord]) {
    await using own = new AsyncDisposableStack();
    const people = await openPeople();
    own.defer(people.close);
    const bot = await openBot(FINCLAW, people, model, {
      probe: { watchesMemory: true },
      nodeFlags: ['--expose-gc'],
      env: { OPENAI_API_KEY: 'key-of-the-bench', OPENAI_BASE_URL: openAi.url },
    });
    own.defer(bot.stop);
    /** Until everybody has an answer; the most memory that was taken. */
    const askAll = async (count: number): Promise<number> => {
      openAi.speak(
        ...Array.from({ length: count }, () => ({ kind: 'words', text: 'Call me back.' }) as const),
      );
      const asked = Array.from({ length: count }, () => people.ask());
      const endsAtMs = performance.now() + LIMIT_MS;
      let mostMb = 0;
      for (;;) {
        mostMb = Math.max(mostMb, bot.residentMb());
        const waiting = asked.filter(({ answers }) => answers().length === 0).length;
        if (waiting === 0) return mostMb;
        if (performance.now() > endsAtMs) throw new Error(`${waiting} people have no answer`);
        await setTimeout(LOOK_MS);
      }
    };
    /** What a collection frees is given back a moment after it. */
    const rest = async () => {
      await mark({ bot });
      return mark({ bot });
    };
    await askAll(FIRST_PEOPLE);
    const before = await rest();
    const mostMb = await askAll(PEOPLE);
    const after = await rest();
    console.log(
      `memory after ${PEOPLE} people with ${FILES.length} files each, ${people.name}: ${(after.usedMb - before.usedMb).toFixed(1)} MB more (${before.usedMb.toFixed(1)} and ${after.usedMb.toFixed(1)} MB), resident ${(after.residentMb - before.residentMb).toFixed(0)} MB more (${before.residentMb.toFixed(0)} and ${after.residentMb.toFixed(0)} MB; at most ${mostMb.toFixed(0)} MB); aim ${AIM_MB} MB`,
    );
  }
};
