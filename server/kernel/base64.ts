// As a `base64` command wraps its output.
const whitespace = /[\t\n\r ]+/g

/** Decodes Base64, which can contain white space; undefined if the text is not Base64. */
export function decodeBase64(text: string): Buffer | undefined {
  const plain = text.replace(whitespace, '')
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) return undefined
  return Buffer.from(plain, 'base64')
}
