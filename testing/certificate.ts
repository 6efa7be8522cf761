import { createPrivateKey, X509Certificate } from 'node:crypto'

const certificateText =
  'MIIBajCCARCgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1yZWNlaXZlci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoY' +
  'DzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYDVQQDDA1yZWNlaXZlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/Qi6' +
  'jfudNYvFaEo4j8AMxPx6bgZm3YGXSUGGnrQ/YjNXudxPJQF02VG7taJGsgaWpvPA91tpQQZJlz2KBFnAR6NJMEcwGAYDVR0R' +
  'BBEwD4INcmVjZWl2ZXIudGVzdDAMBgNVHRMEBTADAQH/MB0GA1UdDgQWBBS7bnYcSt8LFhCR4CcCWPR6YCeapTAKBggqhkjO' +
  'PQQDAgNIADBFAiEAnT4pHk/0RxSU7qiwxrFh4+wzSCLgA7XQbPQBC9KW3yQCIDmH1OfmfX6QqAF742uJM5pKz7zUaoq7Xw4a' +
  'TWCZheyD'

const keyText =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpY2LVnvlUawJwh6DJ+Rju0JJWR1rVB5QHC+OzBHB3v2hRANC' +
  'AAT9CLqN+501i8VoSjiPwAzE/HpuBmbdgZdJQYaetD9iM1e53E8lAXTZUbu1okayBpam88D3W2lBBkmXPYoEWcBH'

/**
 * A self-signed certificate with its private key, both in PEM format, for test servers with the host name
 * `receiver.test`.
 */
export const receiverCertificate: { cert: string; key: string } = {
  cert: new X509Certificate(Buffer.from(certificateText, 'base64')).toString(),
  key: createPrivateKey({ key: Buffer.from(keyText, 'base64'), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString(),
}
