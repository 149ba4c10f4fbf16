import type { MediaAttachment } from '#src/core/message.ts';
import type { ExportFile, WriteExport } from '#src/storage/export-file.ts';

/** A table to be sent; `name` is what the person sees. */
export const csvAttachment = async (
  writeExport: WriteExport,
  file: Omit<ExportFile, 'extension'>,
  name: string,
  csv: string,
): Promise<MediaAttachment> => ({
  kind: 'file',
  mimeType: 'text/csv',
  name,
  url: await writeExport({ ...file, extension: 'csv' }, csv),
  sizeBytes: Buffer.byteLength(csv),
});
