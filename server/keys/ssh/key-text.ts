import { noPublicKey } from './errors'
import { readOpenSshLine } from './openssh-line'
import { isArmourLine } from './pem-armor'
import { readPemKey } from './pem-key'
import { isRfc4716Line, readRfc4716 } from './rfc4716'

/** A public key as it was written down; only the OpenSSH form declares a type beside the blob. */
export interface KeyText {
  declaredType?: string
  blob: Buffer
  comment: string
}

/**
 * Recognises the form of a public key, an OpenSSH line, bare base64, an RFC 4716 block or PEM, and reads it.
 * Throws unprocessable when the text has none of these forms.
 */
export function readKeyText(text: string): KeyText {
  const lines = text.split(/\r\n|\r|\n/).filter(line => line.trim() !== '')
  if (lines.length === 0) throw noPublicKey('the text is empty; paste the content of a .pub file')
  if (lines.some(isRfc4716Line)) return readRfc4716(lines)
  if (lines.some(isArmourLine)) return { blob: readPemKey(lines), comment: '' }
  return readOpenSshLine(lines.map(line => line.trim()))
}
