import { generateKeyPairSync, sign } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';

/** DER: a tag, a length and what is inside. */
const der = (tag: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

/** A certificate of its own for one name, and its key. */
const selfSigned = (name: string): { readonly cert: string; readonly key: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const whoever = sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, name))));
  const extensions = sequence(
    sequence(oid(SUBJECT_ALT_NAME), der(0x04, sequence(der(0x82, name)))),
    sequence(oid(BASIC_CONSTRAINTS), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    whoever,
    sequence(der(0x18, '20200101000000Z'), der(0x18, '21200101000000Z')),
    whoever,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, privateKey)));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
};

/** The same, and trusted by this process until the test ends. */
export const trustedCertificate = (name: string): { readonly cert: string; readonly key: string } => {
  const made = selfSigned(name);
  const before = getCACertificates('default');
  setDefaultCACertificates([made.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
  return made;
};
