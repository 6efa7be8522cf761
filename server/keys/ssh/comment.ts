import { looksLikeKeyBlob } from './base64'
import { invalidKey, privateKeyGiven, severalKeysGiven } from './errors'
import { looksLikePrivateKey } from './private-key'

// Bidirectional overrides could make a listed key read as something else; lone surrogates do not survive storage.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u

/** Gives a comment without the space around it; throws unprocessable if it is unprintable or hides another key. */
export function cleanComment(text: string): string {
  const comment = text.trim()
  if (unprintable.test(comment)) {
    throw invalidKey('the comment contains control characters; use printable text on one line')
  }
  if (looksLikePrivateKey(comment)) throw privateKeyGiven()
  if (comment.split(/\s+/).some(looksLikeKeyBlob)) throw severalKeysGiven()
  return comment
}
