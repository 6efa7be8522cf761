import { parseObjectText, type Signature } from './object-text'
import type { GitObject } from './objects'
import { isObjectId } from './ref-names'

/** An annotated tag. */
export interface AnnotatedTag {
  sha: string
  /** Name that the tag was created with; its ref can have another one. */
  name: string
  /** ID and type of the object that the tag points to, which can be a tag, too; empty if it names none. */
  target: string
  targetType: string
  tagger: Signature
  /** Message without the signature at its end. */
  message: string
  /** Signature at the end of the message, if it has one. It has not been verified. */
  signature?: string
}

/** Parses a Git tag object. Parts that are missing or malformed are empty. */
export function parseTag(object: GitObject): AnnotatedTag {
  const { header, person, message } = parseObjectText(object)
  const start = signatureStart(message)
  return {
    sha: object.sha,
    name: header('tag'),
    target: [header('object')].find(isObjectId) ?? '',
    targetType: header('type'),
    tagger: person('tagger'),
    message: message.slice(0, start),
    ...(start === undefined ? {} : { signature: message.slice(start) }),
  }
}

const beginnings = ['PGP SIGNATURE', 'PGP MESSAGE', 'SSH SIGNATURE', 'SIGNED MESSAGE'].map(
  what => `-----BEGIN ${what}-----`,
)

// Git takes the last line that begins like a signature.
function signatureStart(message: string): number | undefined {
  const starts = beginnings.flatMap(beginning => {
    const last = message.lastIndexOf(`\n${beginning}`)
    if (last >= 0) return last + 1
    return message.startsWith(beginning) ? 0 : []
  })
  return starts.length > 0 ? Math.max(...starts) : undefined
}
