import { crc32, deflateRawSync } from 'node:zlib';

/** A zip whose directory states the true sizes. */
const zipOf = (parts: Readonly<Record<string, string>>): Uint8Array => {
  const written: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), about, Buffer.from(name), packed]);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), about, rest, Buffer.from(name)]));
    written.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  for (const place of [8, 10]) end.writeUInt16LE(directory.length, place);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...written, ...directory, end]));
};

/** `s` points to a shared text, `n` is a number, and text stands inline. */
export type WorkbookCell = { readonly s: number } | { readonly n: number } | string;

const cellXml = (cell: WorkbookCell): string => {
  if (typeof cell === 'string') return `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  return 's' in cell ? `<c t="s"><v>${cell.s}</v></c>` : `<c><v>${cell.n}</v></c>`;
};

/** An xlsx file as small as its shapes allow. */
export const workbookOf = (
  sheets: readonly (readonly (readonly WorkbookCell[])[])[],
  shared: readonly string[] = [],
): Uint8Array => {
  const ids = sheets.map((_, index) => index + 1);
  const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = (list: readonly (readonly [string, string, string])[]): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
      .map(
        ([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`;
  return zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns:r="${RELATIONS}"><sheets>${ids
      .map((id) => `<sheet name="s${id}" sheetId="${id}" r:id="rId${id}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...ids.map((id) => [`rId${id}`, 'worksheet', `worksheets/sheet${id}.xml`] as const),
      ['rIdS', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst>${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(
      sheets.map((rows, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet><sheetData>${rows
          .map((cells) => `<row>${cells.map(cellXml).join('')}</row>`)
          .join('')}</sheetData></worksheet>`,
      ]),
    ),
  });
};
