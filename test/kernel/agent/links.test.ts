import { describe, expect, it } from 'vitest';
import { findUrls } from '#src/kernel/agent/links.ts';
import { everyRow } from '#test/support/every-row.ts';

describe('findUrls', () => {
  everyRow([
    ['see https://example.com/a.', 'https://example.com/a'],
    ['really, https://example.com/a?!', 'https://example.com/a'],
    ['(https://example.com/a)', 'https://example.com/a'],
    ['"https://example.com/a", he said', 'https://example.com/a'],
    ['[link](https://example.com/a);', 'https://example.com/a'],
    ['<https://example.com/a>', 'https://example.com/a'],
    ['http://example.com/?q=1&r=2#top', 'http://example.com/?q=1&r=2#top'],
    ['https://example.com/v1.2/x', 'https://example.com/v1.2/x'],
    ['**https://example.com/a**', 'https://example.com/a'],
    ['`https://example.com/a`', 'https://example.com/a'],
    ['HTTPS://Example.com/A', 'HTTPS://Example.com/A'],
    ['https://example.com/a[1]', 'https://example.com/a[1]'],
    ['[https://example.com/a]', 'https://example.com/a'],
    ['{https://example.com/{id}}', 'https://example.com/{id}'],
    ['“https://example.com/a”라고', 'https://example.com/a'],
    ['「https://example.com/a」', 'https://example.com/a'],
    ['https://example.com/a。次', 'https://example.com/a'],
    ['https://ko.wikipedia.org/wiki/Apple_(company)', 'https://ko.wikipedia.org/wiki/Apple_(company)'],
    ['(see https://example.com/a_(b)).', 'https://example.com/a_(b)'],
    ['((https://example.com/a)))', 'https://example.com/a'],
  ])('finds in %j the address without the punctuation behind it', (text, url) => {
    expect(findUrls(text)).toEqual([url]);
  });

  everyRow([
    // Behind a server, Hangul belongs to the sentence.
    ['https://a.com을 봐', 'https://a.com'],
    ['https://a.com입니다만', 'https://a.com'],
    ['https://a.com에서는.', 'https://a.com'],
    ['https://a.com:8080을', 'https://a.com:8080'],
    ['https://a.com입니다.그리고', 'https://a.com'],
    // A server may be written in Hangul.
    ['https://한국.com/a', 'https://한국.com/a'],
    ['https://예시.한국', 'https://예시.한국'],
    ['https://lg전자.com을', 'https://lg전자.com'],
    ['https://lg전자.com/a', 'https://lg전자.com/a'],
    // In a path only a particle behind a Latin one does.
    ['https://a.com/을', 'https://a.com/'],
    ['https://a.com/b.html을 열어', 'https://a.com/b.html'],
    ['https://a.com/b으로', 'https://a.com/b'],
    ['https://a.com/?q=1이랑', 'https://a.com/?q=1'],
    ['https://a.com/a_(b)를', 'https://a.com/a_(b)'],
    ['(https://a.com/b)을', 'https://a.com/b'],
    // Words of the address itself stay.
    ['https://a.com/위키/주식', 'https://a.com/위키/주식'],
    ['https://a.com/위키/주식을', 'https://a.com/위키/주식을'],
    ['https://a.com/2024년', 'https://a.com/2024년'],
    ['https://a.com/?q=삼성전자', 'https://a.com/?q=삼성전자'],
  ])('finds in %j the address %s, without the particle behind it', (text, url) => {
    expect(findUrls(text)).toEqual([url]);
  });

  it('finds both of two addresses that only a particle keeps apart', () => {
    expect(findUrls('https://a.com과https://b.com의 차이')).toEqual(['https://a.com', 'https://b.com']);
  });

  it.each(['https://', 'https://)', 'https:///a', 'https://。'])('finds no address in %j', (text) => {
    expect(findUrls(text)).toEqual([]);
  });

  it('is not brought down by an address that ends in a thousand brackets', () => {
    expect(findUrls(`https://example.com/a${')'.repeat(20_000)}`)).toEqual(['https://example.com/a']);
    expect(findUrls(`https://example.com/${'('.repeat(9_000)}${')'.repeat(9_000)}`)).toHaveLength(1);
  });

  it('finds every address, also over lines, and none where there is none', () => {
    expect(findUrls('https://a.example\nhttps://b.example/x and ftp://c.example')).toEqual([
      'https://a.example',
      'https://b.example/x',
    ]);
    expect(findUrls('no address, not even http:// alone')).toEqual([]);
  });
});
