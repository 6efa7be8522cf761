import type { GitObject } from './objects'

/** Who wrote something and when, as far as the object says. */
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
}

const nobody: Signature = { name: '', email: '', date: new Date(0) }

/** Reads a commit. Anything else, which a tag may name too, has neither people nor a message. */
export function parseCommit(object: GitObject): Commit {
  if (object.type !== 'commit') return { sha: object.sha, message: '', author: nobody, committer: nobody }
  const { header, message } = parts(object)
  return {
    sha: object.sha,
    message,
    author: signature(header('author')),
    committer: signature(header('committer')),
  }
}

/** The message of an annotated tag. */
export const tagMessage = (object: GitObject): string => parts(object).message

function parts({ text }: GitObject): { header(name: string): string; message: string } {
  const gap = text.indexOf('\n\n')
  const headers = text.subarray(0, gap < 0 ? text.length : gap)
  const encoding = /^encoding (.+)$/m.exec(headers.toString('latin1'))?.[1]
  const decode = decoder(encoding)
  const lines = decode(headers).split('\n')
  return {
    header: name => lines.find(line => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '',
    message: gap < 0 ? '' : decode(text.subarray(gap + 2)),
  }
}

function decoder(encoding = 'utf-8'): (bytes: Buffer) => string {
  try {
    const known = new TextDecoder(encoding)
    return bytes => known.decode(bytes)
  } catch {
    return bytes => bytes.toString('utf8')
  }
}

function signature(line: string): Signature {
  const [, name = '', email = '', seconds = '0'] = /^(.*?) ?<([^>]*)>(?: (-?\d{1,11}))?/.exec(line) ?? []
  return { name, email, date: new Date(Number(seconds) * 1000) }
}
