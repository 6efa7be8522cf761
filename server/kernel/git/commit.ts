import { nobody, parseObjectText, type Signature } from './object-text'
import type { GitObject } from './objects'
import { isObjectId } from './ref-names'

export interface Commit {
  sha: string
  /** ID of its tree; empty if the commit names none. */
  tree: string
  /** IDs of its parents, at most 1,000. */
  parents: string[]
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
  return `${plainIdentity(name)} <${plainIdentity(email)}> ${Math.floor(date.getTime() / 1000)} +0000`
}

/** Returns a name or an email address without characters that the header of a Git object cannot contain. */
export const plainIdentity = (text: string): string => text.replace(/[\s<>\p{Cc}]+/gu, ' ').trim()

/**
 * Parses a Git commit object. For an object of another type, such as a file that a tag points to, everything
 * except for the ID is empty.
 */
export function parseCommit(object: GitObject): Commit {
  const { sha } = object
  if (object.type !== 'commit')
    return { sha, tree: '', parents: [], message: '', author: nobody, committer: nobody }
  const { header, headers, person, message } = parseObjectText(object)
  const signed = signedPart(object)
  return {
    sha,
    tree: [header('tree')].find(isObjectId) ?? '',
    parents: headers('parent').filter(isObjectId),
    message,
    author: person('author'),
    committer: person('committer'),
    ...(signed ? { signed } : {}),
  }
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
