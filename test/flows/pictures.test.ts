import { describe, expect, it } from 'vitest';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import {
  answer,
  type EngineApp,
  requestsTo,
  startEngineApp,
  startServers,
  status,
  until,
  untilRead,
} from '#test/support/engine-app.ts';
import { temporaryDir } from '#test/support/database.ts';
import { gifOf, jpegOf, PIXEL, PIXEL_BASE64, pngOf } from '#test/support/pictures.ts';
import { badRequest, CHAT, CLAUDE, GPT, GROUP } from './refusal-support.ts';

const X_PNG: MediaAttachment = { kind: 'image', mimeType: 'image/png', name: 'x.png', url: 'memory:x.png' };
/** As it stands in the body of a request. */
const NOTE = String.raw`<attachment name=\"x.png\">\n[picture could not be read]\n</attachment>`;

/** An app in whose group `x.png` is these bytes. */
const startWith = (
  bytes: Uint8Array,
  env: NodeJS.ProcessEnv = CLAUDE,
  own: Parameters<typeof startEngineApp>[0] = {},
): Promise<EngineApp> => startEngineApp({ env, ...own, channel: { files: { [X_PNG.url]: bytes } } });

const outcomes = ({ claude, gpt }: EngineApp): readonly string[] =>
  [...claude.history, ...gpt.history].map(({ outcome }) => outcome);

const sentTo = (engine: EngineApp): readonly string[] =>
  [...engine.claude.history, ...engine.gpt.history].map(({ body }) => JSON.stringify(body));

const count = (text: string, part: string): number => text.split(part).length - 1;

describe('a picture that no provider takes', () => {
  it.each([
    [
      '18 bytes called x.png',
      Buffer.from('not a picture at a'),
      'it is not a PNG, JPEG, GIF or WebP picture',
    ],
    ['a picture that was cut off', PIXEL.subarray(0, 40), 'the picture is damaged or cut off'],
    ['9,000 pixels', pngOf(9_000, 1), 'the picture has more than 8000 pixels on a side'],
    ['an animated GIF', gifOf(2, 2, 2), 'animated pictures are not read'],
  ])('reaches none, and is named in words, and the talk goes on: %s', async (_, bytes, reason) => {
    for (const env of [CLAUDE, GPT]) {
      const engine = await startWith(bytes, env);
      expect(await engine.ask('ann', 'What is this?', { ...GROUP, media: [X_PNG] })).toEqual(['ok']);
      expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
      expect(outcomes(engine)).toEqual(['answer', 'answer']);
      expect(sentTo(engine)[0]).toContain(`attached, but not readable: x.png (${reason}`);
    }
  });

  it('is not one whose name is wrong: a JPEG called x.png is seen as a JPEG', async () => {
    const engine = await startWith(jpegOf(20, 10));
    expect(await engine.ask('ann', 'What is this?', { ...GROUP, media: [X_PNG] })).toEqual(['ok']);
    expect(sentTo(engine)[0]).toContain('"media_type":"image/jpeg"');
  });
});

describe('many pictures', () => {
  it('of one person in a day are named in words, also after a restart, while those of others are seen', async () => {
    const own = { dataDir: temporaryDir(), servers: await startServers() };
    const bytes = pngOf(1, 1, { commentBytes: 3_700_000 });
    const before = await startWith(bytes, CLAUDE, own);
    // Each in a chat of its own, so that no request holds all of them.
    for (let message = 0; message < 11; message += 1)
      await before.ask('eve', `This is ${message}.`, { media: [X_PNG], chatId: asId<ChatId>(`${message}`) });
    await before.stop();
    const engine = await startWith(bytes, CLAUDE, own);
    expect(await engine.ask('eve', 'This is one more.', { media: [X_PNG] })).toEqual(['ok']);
    await engine.ask('bob', 'And this?', { media: [X_PNG] });
    const [last = '', ofBob = ''] = sentTo(engine).slice(-2);
    expect(last).toContain('not readable: x.png (this person has sent as many pictures as are kept in a day');
    expect(count(ofBob, '"type":"image"')).toBe(1);
  });

  it('over time are 20 in a request, the newest, and nobody is left without an answer', async () => {
    const media = Array.from({ length: 8 }, () => X_PNG);
    // Of more than 20, none may have more than 2,000 pixels.
    const engine = await startWith(pngOf(2_001, 1));
    for (let message = 0; message < 13; message += 1)
      expect(await engine.ask('ann', `These are ${message}.`, { ...GROUP, media })).toEqual(['ok']);
    expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
    expect(new Set(outcomes(engine))).toEqual(new Set(['answer']));
    expect(sentTo(engine).map((body) => count(body, '"type":"image"'))).toEqual([
      8,
      16,
      ...Array.from({ length: 12 }, () => 20),
    ]);
  });
});

/** What the providers say of a picture that passed every check of ours. */
const refusesPictures =
  (refusal: FakeReply) =>
  (body: object): FakeReply =>
    /"(?:type":"image"|type":"input_image"|image_url":)/.test(JSON.stringify(body)) ? refusal : answer('ok');

describe('a provider that refuses a picture', () => {
  const cases: readonly (readonly [string, 'claude' | 'gpt', FakeReply, object])[] = [
    ['Claude', 'claude', badRequest('Could not process image'), { env: CLAUDE }],
    ['Claude, by the size of the request', 'claude', status(413), { env: CLAUDE }],
    ['GPT', 'gpt', badRequest('The image data is not valid.', 'invalid_value'), { env: GPT }],
    ['GPT, inside the stream', 'gpt', { kind: 'stream-error', type: 'image_parse_error' }, { env: GPT }],
    ['a compatible server', 'gpt', badRequest('image: unknown format'), CHAT],
  ];

  it.each(cases)(
    '%s: is asked once more without it, and the next person is answered, after a restart too',
    async (_, provider, refusal, options) => {
      const dataDir = temporaryDir();
      const servers = await startServers();
      servers[provider].otherwise(refusesPictures(refusal));
      const start = (): Promise<EngineApp> =>
        startEngineApp({ ...options, servers, dataDir, channel: { files: { [X_PNG.url]: PIXEL } } });
      const first = await start();
      expect(await first.ask('ann', 'What is this?', { ...GROUP, media: [X_PNG] })).toEqual(['ok']);
      expect(outcomes(first)).toEqual([refusal.kind, 'answer']);
      expect(sentTo(first)[1]).toContain(NOTE);
      expect(await first.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
      await first.stop();

      const second = await start();
      expect(await second.ask('cid', 'And now?', GROUP)).toEqual(['ok']);
      expect(outcomes(second)).toEqual([refusal.kind, 'answer', 'answer', 'answer']);
      const last = sentTo(second).at(-1) ?? '';
      expect(last).toContain(NOTE);
      expect(last).not.toContain(PIXEL_BASE64);
      expect(last).toContain('What is this?');
    },
  );

  it('that passed before goes on too: a conversation that holds a bad picture is mended by its next question', async () => {
    const engine = await startWith(PIXEL);
    expect(await engine.ask('ann', 'What is this?', { ...GROUP, media: [X_PNG] })).toEqual(['ok']);
    engine.claude.otherwise(refusesPictures(badRequest('Could not process image')));
    expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
    expect(await engine.ask('bob', 'Thanks.', GROUP)).toEqual(['ok']);
    expect(outcomes(engine)).toEqual(['answer', 'status', 'answer', 'answer']);
  });

  it('costs nobody else in the conversation their picture', async () => {
    const bad = pngOf(2, 2);
    const yPng: MediaAttachment = { ...X_PNG, name: 'y.png', url: 'memory:y.png' };
    const engine = await startEngineApp({
      env: CLAUDE,
      channel: { files: { [X_PNG.url]: PIXEL, [yPng.url]: bad } },
    });
    engine.claude.otherwise((body) =>
      JSON.stringify(body).includes(bad.toString('base64'))
        ? badRequest('Could not process image')
        : answer('ok'),
    );
    expect(await engine.ask('ann', 'What is this?', { ...GROUP, media: [X_PNG] })).toEqual(['ok']);
    expect(await engine.ask('eve', 'And this?', { ...GROUP, media: [yPng] })).toEqual(['ok']);
    expect(await engine.ask('ann', 'What was in mine?', GROUP)).toEqual(['ok']);
    expect(outcomes(engine)).toEqual(['answer', 'status', 'answer', 'answer']);
    expect(sentTo(engine).at(-1)).toContain(PIXEL_BASE64);
    expect(sentTo(engine).at(-1)).not.toContain(bad.toString('base64'));
  });

  it('loses all of them where no single one was the reason', async () => {
    const engine = await startWith(PIXEL);
    for (const person of ['ann', 'bob'])
      expect(await engine.ask(person, 'What is this?', { ...GROUP, media: [X_PNG] })).toEqual(['ok']);
    engine.claude.otherwise(refusesPictures(badRequest('Could not process image')));
    expect(await engine.ask('bob', 'What time is it?', GROUP)).toEqual(['ok']);
    expect(await engine.ask('bob', 'Thanks.', GROUP)).toEqual(['ok']);
    expect(outcomes(engine)).toEqual(['answer', 'answer', 'status', 'status', 'answer', 'answer']);
  });
});

describe('a refusal that no picture is the reason of', () => {
  it('costs one more request, is told, and leaves the pictures where they are', async () => {
    const engine = await startWith(PIXEL);
    engine.claude.reply(badRequest('tools.0: wrong'), badRequest('tools.0: wrong'));
    expect(await engine.ask('ann', 'What is this?', { ...GROUP, media: [X_PNG] })).toEqual([
      expect.stringMatching(/^Something went wrong/),
    ]);
    expect(requestsTo(engine.claude)).toHaveLength(2);
    expect(await engine.ask('ann', 'Again, please.', GROUP)).toEqual(['ok']);
    expect(sentTo(engine).at(-1)).toContain(PIXEL_BASE64);
  });

  it('costs none where there is no picture', async () => {
    const engine = await startWith(PIXEL);
    engine.claude.reply(badRequest('tools.0: wrong'));
    await engine.ask('ann', 'Hello?', GROUP);
    expect(requestsTo(engine.claude)).toHaveLength(1);
  });

  it('is counted with the other failures of the message', async () => {
    const engine = await startWith(PIXEL);
    engine.claude.otherwise(status(529));
    engine.claude.reply(badRequest('Could not process image'));
    const asking = engine.ask('ann', 'What is this?', { ...GROUP, media: [X_PNG] });
    await until(() => engine.claude.history.length === 2);
    await untilRead();
    await engine.clock.advance(5_000);
    expect(await asking).toHaveLength(1);
    // The picture, then the key and the same key once more: three of the six that may fail.
    expect(requestsTo(engine.claude)).toHaveLength(3);
  });
});
