import type { GitObject } from './objects'

/** Name, email address, and time of a person in a Git object, such as the author of a commit. */
export interface Signature {
  name: string
  email: string
  date: Date
}

export interface Commit {
  sha: string
  message: string
  author: Signature
  committer: Signature
  /** Signature and signed payload of the commit, if it has one. The signature has not been verified. */
  signed?: { signature: string; payload: string }
}

/**
 * Formats a person, such as a commit's author, for a header line of a Git object, without characters that
 * would corrupt the header.
 */
export function personLine({ name, email, date }: Signature): string {
  return `${plain(name)} <${plain(email)}> ${Math.floor(date.getTime() / 1000)} +0000`
}

const plain = (text: string): string => text.replace(/[\s<>\p{Cc}]+/gu, ' ').trim()

const nobody: Signature = { name: '', email: '', date: new Date(0) }

/**
 * Parses a Git commit object. For an object of another type, such as a file that a tag points to, the author,
 * committer, and message are empty.
 */
export function parseCommit(object: GitObject): Commit {
  if (object.type !== 'commit') return { sha: object.sha, message: '', author: nobody, committer: nobody }
  const { person, message } = parts(object)
  const signed = signedPart(object)
  return {
    sha: object.sha,
    message,
    author: person('author'),
    committer: person('committer'),
    ...(signed ? { signed } : {}),
  }
}

/** Returns the message of an annotated tag. */
export const tagMessage = (object: GitObject): string => parts(object).message

// Longer header lines do not contain names of people or encodings, so they need not be read to the end.
const maxLine = 1024

function parts({ text }: GitObject): Parts {
  const gap = text.indexOf('\n\n')
  const headers = text.subarray(0, gap < 0 ? text.length : gap)
  const decode = decoder(headerLine(headers, 'encoding').toString('latin1'))
  return {
    person: role => parsePerson(headerLine(headers, role), decode),
    message: gap < 0 ? '' : decode(text.subarray(gap + 2)),
  }
}

interface Parts {
  person(role: 'author' | 'committer'): Signature
  message: string
}

// The payload is the commit without its signature headers, whose continuation lines start with a space.
function signedPart({ text, isWhole }: GitObject): Commit['signed'] {
  const gap = text.indexOf('\n\n')
  const signatures: Buffer[] = []
  const payload: Buffer[] = []
  let isSignature = false
  for (let at = 0; at < gap; ) {
    const end = text.indexOf(10, at) + 1
    const line = text.subarray(at, end)
    if (line[0] !== 32) isSignature = signatureStart.test(line.toString('latin1', 0, 20))
    ;(isSignature ? signatures : payload).push(line)
    at = end
  }
  if (signatures.length === 0) return undefined
  // Part of a payload would be a wrong payload.
  if (!isWhole) return { signature: '', payload: '' }
  const signature = Buffer.concat(signatures).toString('utf8').replace(signatureStart, '')
  return {
    signature: `${signature.trimEnd().replaceAll('\n ', '\n')}\n`,
    payload: Buffer.concat([...payload, text.subarray(gap + 1)]).toString('utf8'),
  }
}

const signatureStart = /^gpgsig(-sha256)? /

/** Returns the value of the first header with this name; empty if there is none. */
function headerLine(headers: Buffer, name: string): Buffer {
  const start = `${name} `
  for (let at = 0; at < headers.length; ) {
    const end = headers.indexOf(10, at)
    const line = headers.subarray(at, end < 0 ? headers.length : end)
    if (line.toString('latin1', 0, start.length) === start) return line.subarray(start.length, maxLine)
    at += line.length + 1
  }
  return Buffer.alloc(0)
}

type Decode = (bytes: Buffer) => string

function decoder(encoding: string): Decode {
  try {
    const known = new TextDecoder(encoding || 'utf-8')
    return bytes => known.decode(bytes)
  } catch {
    return bytes => bytes.toString('utf8')
  }
}

// By position and in bytes, like Git: the encoding may decode the brackets to other characters.
function parsePerson(line: Buffer, decode: Decode): Signature {
  const open = line.indexOf('<')
  const close = open < 0 ? -1 : line.indexOf('>', open)
  if (close < 0) return nobody
  const time = line.toString('latin1', line.lastIndexOf('>') + 1)
  const [, seconds = '0'] = /^ {0,9}(-?\d{1,11})/.exec(time) ?? []
  return {
    name: decode(line.subarray(0, open)).trim(),
    email: decode(line.subarray(open + 1, close)).trim(),
    date: new Date(Number(seconds) * 1000),
  }
}
