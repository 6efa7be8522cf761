import type { GitObject } from './objects'

/** Name, email address, and time of a person in a Git object, such as the author of a commit. */
export interface Signature {
  name: string
  email: string
  date: Date
}

/** The headers and the message of a commit or annotated tag, in the encoding that the object declares. */
export interface ObjectText {
  /** Returns the value of the first header with this name, up to 1,024 bytes; empty if there is none. */
  header(name: string): string
  /** Returns the values of all headers with this name, at most 1,000. */
  headers(name: string): string[]
  person(role: 'author' | 'committer' | 'tagger'): Signature
  message: string
}

export const nobody: Signature = { name: '', email: '', date: new Date(0) }

// Longer header lines do not contain names of people or encodings, so they need not be read to the end.
const maxLine = 1024
const maxHeaders = 1000

/** Parses the text of a commit or annotated tag. Parts that are missing or malformed are empty. */
export function parseObjectText({ text }: Pick<GitObject, 'text'>): ObjectText {
  const gap = text.indexOf('\n\n')
  const headers = text.subarray(0, gap < 0 ? text.length : gap)
  const decode = decoder(headerLine(headers, 'encoding').toString('latin1'))
  return {
    header: name => decode(headerLine(headers, name)),
    headers: name => headerLines(headers, name, maxHeaders).map(decode),
    person: role => parsePerson(headerLine(headers, role), decode),
    message: gap < 0 ? '' : decode(text.subarray(gap + 2)),
  }
}

const headerLine = (headers: Buffer, name: string): Buffer =>
  headerLines(headers, name, 1)[0] ?? Buffer.alloc(0)

function headerLines(headers: Buffer, name: string, max: number): Buffer[] {
  const start = `${name} `
  const found: Buffer[] = []
  for (let at = 0; at < headers.length && found.length < max; ) {
    const end = headers.indexOf(10, at)
    const line = headers.subarray(at, end < 0 ? headers.length : end)
    if (line.toString('latin1', 0, start.length) === start) found.push(line.subarray(start.length, maxLine))
    at += line.length + 1
  }
  return found
}

type Decode = (bytes: Buffer) => string

const utf8 = new TextDecoder()

function decoder(encoding: string): Decode {
  try {
    const known = encoding ? new TextDecoder(encoding) : utf8
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
