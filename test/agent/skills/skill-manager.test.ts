import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDir } from '#test/support/database.ts';
import { skillFixture, skillText, writeSkill } from './support.ts';
import { parseFrontMatter } from '#src/agent/skills/skill-manager.ts';

describe('skills', () => {
  it('are listed by name, from all directories', async () => {
    const { manager, builtIn, own, payloads } = skillFixture();
    await writeSkill(builtIn, 'x', skillText('zebra'));
    await writeSkill(own, 'y', skillText('ape'));
    await writeSkill(builtIn, 'z', skillText('horse', '"말: 브리핑"'));
    await manager.start();
    expect(manager.list()).toEqual([
      { name: 'ape', description: 'About ape' },
      { name: 'horse', description: '말: 브리핑' },
      { name: 'zebra', description: 'About zebra' },
    ]);
    expect(payloads('skill:load')).toEqual([{ count: 3 }]);
  });

  it('are read by name', async () => {
    const { manager, builtIn } = skillFixture();
    await writeSkill(builtIn, 'a', skillText('briefing', 'x', '# Steps\n\n1. Look.'));
    await manager.start();
    await expect(manager.read('briefing')).resolves.toEqual({
      name: 'briefing',
      body: '# Steps\n\n1. Look.',
    });
    await expect(manager.read('a')).resolves.toBeUndefined();
    await expect(manager.read('constructor')).resolves.toBeUndefined();
  });

  it('of a later directory replace those of the same name', async () => {
    const { manager, builtIn, own, warnings } = skillFixture();
    await writeSkill(builtIn, 'a', skillText('briefing', 'ours', 'Ours.'));
    await writeSkill(own, 'b', skillText('briefing', 'theirs', 'Theirs.'));
    await manager.start();
    expect(manager.list()).toEqual([{ name: 'briefing', description: 'theirs' }]);
    await expect(manager.read('briefing')).resolves.toMatchObject({ body: 'Theirs.' });
    expect(warnings()).toEqual([]);
  });

  it('are not replaced by a broken one', async () => {
    const { manager, builtIn, own } = skillFixture();
    await writeSkill(builtIn, 'briefing', skillText('briefing', 'ours'));
    await writeSkill(own, 'briefing', '---\nname: briefing\n---\n\nNo description.');
    await manager.start();
    expect(manager.list()).toEqual([{ name: 'briefing', description: 'ours' }]);
  });

  it('of one directory cannot share a name: the first folder has it', async () => {
    const { manager, own, payloads } = skillFixture();
    await writeSkill(own, 'a', skillText('briefing', 'first'));
    const second = await writeSkill(own, 'b', skillText('briefing', 'second'));
    await manager.start();
    expect(manager.list()).toEqual([{ name: 'briefing', description: 'first' }]);
    expect(payloads('skill:error')).toEqual([{ path: second, error: expect.stringContaining('taken') }]);
  });

  it('are folders: files, hidden folders and folders without one are none', async () => {
    const { manager, own, warnings } = skillFixture();
    await writeFile(join(own, 'SKILL.md'), skillText('loose'));
    await writeSkill(own, '.hidden', skillText('hidden'));
    await mkdir(join(own, 'empty'));
    await manager.start();
    expect(manager.list()).toEqual([]);
    expect(warnings()).toEqual([]);
  });

  it('of a directory that is not there are none', async () => {
    const { createFor, own, warnings, payloads } = skillFixture();
    await writeSkill(own, 'a', skillText('briefing'));
    const manager = createFor(join(own, 'missing'), own);
    await manager.start();
    expect(manager.list()).toHaveLength(1);
    expect(warnings()).toEqual([]);
    expect(payloads('skill:error')).toEqual([]);
  });
});

describe('a broken skill', () => {
  it.each([
    ['no block above', 'Just text', /begin with name and description/],
    ['no name', '---\ndescription: x\n---\nText', /name must match/],
    ['a name with a blank', skillText('two words'), /name must match/],
    ['a name that leads out', skillText('../x'), /name must match/],
    ['a name in capitals', skillText('Briefing'), /name must match/],
    ['a name of 65 letters', skillText('a'.repeat(65)), /name must match/],
    ['no description', skillText('a', ''), /1 to 500 characters/],
    ['a description that is too long', skillText('a', '가'.repeat(501)), /1 to 500 characters, and has 501/],
    ['no text', skillText('a', 'x', ' '), /no text/],
    ['a text that is too long', skillText('a', 'x', 'a'.repeat(50 * 1024 + 1)), /longer than 50 KB/],
    ['a huge file', skillText('a', 'x', 'a'.repeat(200_000)), /larger than 54 KB/],
    ['bytes that are no text', Buffer.from([...Buffer.from(skillText('a')), 0xff, 0xfe]), /not valid/],
  ])('with %s is left out and reported, and the others stay', async (_what, text, problem) => {
    const { manager, own, payloads, warnings } = skillFixture();
    const path = await writeSkill(own, 'bad', text);
    await writeSkill(own, 'good', skillText('good'));
    await manager.start();
    expect(manager.list().map(({ name }) => name)).toEqual(['good']);
    expect(payloads('skill:error')).toEqual([{ path, error: expect.stringMatching(problem) }]);
    expect(warnings()).toHaveLength(1);
  });

  it.each([
    ['a name of 64 letters', skillText('a'.repeat(64))],
    ['a description of 500 characters', skillText('a', '😀'.repeat(500))],
    ['a text of 50 KB', skillText('a', 'x', 'a'.repeat(50 * 1024))],
  ])('is not one with %s', async (_what, text) => {
    const { manager, own } = skillFixture();
    await writeSkill(own, 'a', text);
    await manager.start();
    expect(manager.list()).toHaveLength(1);
  });

  it('is one that cannot be read, or is no file', async () => {
    const { manager, own, payloads } = skillFixture();
    await mkdir(join(own, 'directory', 'SKILL.md'), { recursive: true });
    await mkdir(join(own, 'pipe'));
    execFileSync('mkfifo', [join(own, 'pipe', 'SKILL.md')]);
    await manager.start();
    expect(manager.list()).toEqual([]);
    expect(payloads('skill:error').map(({ error }) => error)).toEqual([
      'it is not a file',
      'it is not a file',
    ]);
  });

  it('may be a whole directory, where a file is in its place', async () => {
    const { createFor, builtIn, own, payloads } = skillFixture();
    await writeSkill(own, 'good', skillText('good'));
    const file = join(builtIn, 'skills');
    await writeFile(file, '');
    const manager = createFor(file, own);
    await manager.start();
    expect(manager.list()).toHaveLength(1);
    expect(payloads('skill:error')).toMatchObject([{ path: file }]);
  });
});

describe('a link', () => {
  it('that leads out of the directory is not followed', async () => {
    const { createFor, own: parent, payloads } = skillFixture();
    const skills = join(parent, 'skills');
    // Its path begins like that of the directory, and it is outside all the same.
    const secret = await writeSkill(join(parent, 'skills-of-others'), 'far', skillText('far'));
    await mkdir(join(skills, 'file-link'), { recursive: true });
    await symlink(secret, join(skills, 'file-link', 'SKILL.md'));
    await symlink(join(parent, 'skills-of-others', 'far'), join(skills, 'folder-link'));
    const manager = createFor(skills);
    await manager.start();
    expect(manager.list()).toEqual([]);
    const leadsOut = { error: expect.stringContaining('leads out') };
    expect(payloads('skill:error')).toMatchObject([leadsOut, leadsOut]);
  });

  it('inside the directory is, and a directory may itself be one', async () => {
    const { createFor, own, payloads } = skillFixture();
    await writeSkill(own, '.store', skillText('near'));
    await symlink(join(own, '.store'), join(own, 'near'));
    const linked = join(temporaryDir(), 'skills');
    await symlink(own, linked);
    const manager = createFor(linked);
    await manager.start();
    expect(manager.list().map(({ name }) => name)).toEqual(['near']);
    expect(payloads('skill:error')).toEqual([]);
  });
});

const fieldsOf = (...lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(parseFrontMatter(['---', ...lines, '---', 'body'].join('\n'))?.fields ?? []);

describe('parseFrontMatter', () => {
  it('tells the fields from the document', () => {
    const parsed = parseFrontMatter('---\nname: a\n---\n\n# Title\n\n---\n\nEnd\n');
    expect(parsed?.fields.get('name')).toBe('a');
    expect(parsed?.body).toBe('# Title\n\n---\n\nEnd');
  });

  it('reads a file that was written on Windows', () => {
    const parsed = parseFrontMatter('\ufeff---\r\nname: a\r\ndescription: b c\r\n---\r\nOne\r\nTwo\r\n');
    expect([...(parsed?.fields ?? [])]).toEqual([
      ['name', 'a'],
      ['description', 'b c'],
    ]);
    expect(parsed?.body).toBe('One\nTwo');
  });

  it.each([
    ['plain, with a colon', 'a: one: two', 'one: two'],
    ['in double quotes', String.raw`a: "say \"yes\" \\ no: #1"`, String.raw`say "yes" \ no: #1`],
    ['in single quotes', "a: 'it''s: fine'", "it's: fine"],
    ['quoted only in the middle', 'a: the "one" here', 'the "one" here'],
    ['Korean', 'a: 종목 브리핑 — "삼성전자 어때?"', '종목 브리핑 — "삼성전자 어때?"'],
    ['empty', 'a:', ''],
  ])('reads a value %s', (_kind, line, value) => {
    expect(fieldsOf(line)).toEqual({ a: value });
  });

  it.each(['>', '>-', '|', '|+'])('joins the lines below a %s', (sign) => {
    expect(fieldsOf(`a: ${sign}`, '  one', '  two: three', 'b: four')).toEqual({
      a: 'one two: three',
      b: 'four',
    });
  });

  it('joins a value, quoted or not, that goes on below', () => {
    expect(fieldsOf('a: "one', '  two"', 'b: one', '\ttwo')).toEqual({ a: 'one two', b: 'one two' });
  });

  it('passes over comments and over what belongs to other programs', () => {
    expect(fieldsOf('# name: no', 'name: a', '__proto__: x', 'list:', '- one', 'license: MIT')).toEqual({
      name: 'a',
      list: '',
      license: 'MIT',
    });
  });

  it.each([
    ['', 'nothing'],
    ['# Title', 'no block'],
    ['---\nname: a\n', 'no end'],
    ['\n---\nname: a\n---\n', 'something before it'],
    ['----\nname: a\n----\n', 'another rule'],
  ])('knows %j as a document without it', (document) => {
    expect(parseFrontMatter(document)).toBeUndefined();
  });
});
