import type { Readable } from 'node:stream'
import { invalid } from '../errors'
import type { Call } from './call'

/** A body that is read as it comes. */
export interface Upload {
  contentType: string
  /** In bytes, as announced; undefined where it was not. */
  length: number | undefined
  /** Opens the body, once. Who stops reading early must not destroy it, so that the client gets to see the answer. */
  stream(): Readable
}

/** Dresses the body of a call as an upload; nothing of it is read yet. */
export function uploadOf(call: Call): Upload {
  const length = call.headers.get('content-length')
  return {
    contentType: call.headers.get('content-type') ?? '',
    length: length === null ? undefined : Number(length),
    stream: () => call.stream(),
  }
}

/**
 * Reads an upload as it comes; what is not read stays unread.
 * @throws {DomainError} invalid when the body ends early.
 */
export async function* uploadBytes(upload: Upload): AsyncGenerator<Uint8Array, void> {
  const body = upload.stream()
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } catch (error) {
    throw invalid('the body was cut short', { cause: error })
  }
}
