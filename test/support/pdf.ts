import { deflateSync } from 'node:zlib';

export interface PdfOptions {
  /** Locked with a password that nobody knows. */
  readonly isLocked?: boolean;
  /** Its font is one that viewers of old had built in, with Korean letters by number. */
  readonly isOldKorean?: boolean;
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const OLD_KOREAN_FONT =
  '<< /Type /Font /Subtype /Type0 /BaseFont /HYSMyeongJo-Medium /Encoding /KSCms-UHC-H /DescendantFonts ' +
  '[<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HYSMyeongJo-Medium ' +
  '/CIDSystemInfo << /Registry (Adobe) /Ordering (Korea1) /Supplement 1 >> /FontDescriptor << /Type /FontDescriptor ' +
  '/FontName /HYSMyeongJo-Medium /Flags 6 /FontBBox [0 0 1000 1000] >> >>] >>';

const LOCK = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`;

const assemble = (objects: readonly Buffer[], trailer: string): Uint8Array => {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}` +
        `trailer << /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
};

/** A sound PDF, one page for each content stream. */
const pdfOfStreams = (
  streams: readonly Buffer[],
  { isLocked = false, isOldKorean = false }: PdfOptions = {},
): Uint8Array => {
  const pageIds = streams.map((_, index) => 4 + index * 2);
  const id = '0123456789abcdef0123456789abcdef';
  return assemble(
    [
      Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
      Buffer.from(
        `<< /Type /Pages /Count ${streams.length} /Kids [${pageIds.map((each) => `${each} 0 R`).join(' ')}] >>`,
      ),
      Buffer.from(isOldKorean ? OLD_KOREAN_FONT : FONT),
      ...streams.flatMap((stream, index) => [
        Buffer.from(
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 20000 20000] /Contents ${5 + index * 2} 0 R ` +
            `/Resources << /Font << /F1 3 0 R >> >> >>`,
        ),
        Buffer.concat([
          Buffer.from(`<< /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`),
          stream,
          Buffer.from('\nendstream'),
        ]),
      ]),
    ],
    isLocked ? `/Encrypt ${LOCK} /ID [<${id}> <${id}>]` : '',
  );
};

const contentOf = (words: string): string =>
  words === ''
    ? ''
    : `BT /F1 12 Tf 72 19000 Td ${words
        .split('\n')
        .map((line) => `(${line.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj 0 -20 Td`)
        .join(' ')} ET`;

/** Pages of plain words (ASCII); an empty one is a page without text, as a scanned one is. */
export const pdfOf = (pages: readonly string[], options?: PdfOptions): Uint8Array =>
  pdfOfStreams(
    pages.map((words) => deflateSync(contentOf(words))),
    options,
  );

/** One page that is small as a file and so large unpacked. */
export const pdfBomb = (bytes: number): Uint8Array =>
  pdfOfStreams([deflateSync(Buffer.alloc(bytes, ' '), { level: 1 })]);
