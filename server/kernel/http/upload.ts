import type { Readable } from 'node:stream'
import { invalid } from '../errors'
import type { Call } from './call'

/** A request body that is read as a stream. */
export interface Upload {
  contentType: string
  /** Declared length in bytes; undefined if the client did not declare it. */
  length: number | undefined
  /**
   * Opens the body; can be called once. Code that stops reading early must not destroy it, so that the client
   * receives the response.
   */
  stream(): Readable
}

/** Returns the body of a call as an upload, without reading it. */
export function uploadOf(call: Call): Upload {
  const length = call.headers.get('content-length')
  return {
    contentType: call.headers.get('content-type') ?? '',
    length: length === null ? undefined : Number(length),
    stream: () => call.stream(),
  }
}

/**
 * Reads an upload as a stream. If reading stops early, the rest remains unread.
 * @throws {DomainError} invalid if the body ends early.
 */
export async function* uploadBytes(upload: Upload): AsyncGenerator<Uint8Array, void> {
  const body = upload.stream()
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } catch (error) {
    throw invalid('the body was cut short', { cause: error })
  }
}
